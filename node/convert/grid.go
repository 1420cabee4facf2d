// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"encoding/binary"
	"fmt"
	"math"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
)

// OccupancyGrid fills dst with values at the nodes of a square grid, the centres of its cells, scaled linearly so that lo is 1 and hi
// is 98: RViz's colours for costmaps are a scale between these, and 0, 99 and 100 have others. NaN, outside the field, is −1
// (unknown). The message has no finer steps; the cloud holds the exact values.
func OccupancyGrid(dst *nav_msgs.OccupancyGrid, g surface.Grid, values []float64, lo, hi float64) {
	const least, largest = 1, 98
	dst.Info.Resolution = float32(g.DX)
	dst.Info.Width, dst.Info.Height = uint32(g.NX), uint32(g.NY)
	// The origin of an occupancy grid is the corner of its first cell.
	dst.Info.Origin.Position.X = g.X0 - g.DX/2
	dst.Info.Origin.Position.Y = g.Y0 - g.DY/2
	dst.Info.Origin.Orientation = Quaternion(0)
	if cap(dst.Data) < len(values) {
		dst.Data = make([]int8, len(values))
	}
	dst.Data = dst.Data[:len(values)]
	for i, v := range values {
		switch {
		case math.IsNaN(v):
			dst.Data[i] = -1
		case hi > lo:
			dst.Data[i] = int8(math.Round(least + (largest-least)*min(max((v-lo)/(hi-lo), 0), 1)))
		default:
			dst.Data[i] = least
		}
	}
}

// Keepout fills dst with a raster: 0 in free cells, 98 in those beside them, which Nav2 enters only
// where there is no other way, and 100, occupied, in all others.
func Keepout(dst *nav_msgs.OccupancyGrid, r *field.Raster) {
	const dear, occupied = 98, 100
	dst.Info.Resolution = float32(r.Cell)
	dst.Info.Width, dst.Info.Height = uint32(r.NX), uint32(r.NY)
	dst.Info.Origin.Position.X, dst.Info.Origin.Position.Y = r.Origin[0], r.Origin[1]
	dst.Info.Origin.Orientation = Quaternion(0)
	dst.Data = make([]int8, len(r.Free))
	for k, free := range r.Free {
		switch {
		case free:
		case r.Beside != nil && r.Beside[k]:
			dst.Data[k] = dear
		default:
			dst.Data[k] = occupied
		}
	}
}

// Column is one field of a cloud, with a value for each node of the grid.
type Column struct {
	Name   string
	Values []float64
}

// Cloud fills dst with an organised cloud (NY rows of NX points): x, y, z in single
// precision, where z is the first column, and the columns in double precision, so that
// a node reads back exactly the computed values.
func Cloud(dst *sensor_msgs.PointCloud2, g surface.Grid, columns ...Column) {
	const float32Size, float64Size = 4, 8
	// The doubles start at 16, after the three singles, so that they are aligned.
	const first = 16
	dst.Height, dst.Width = uint32(g.NY), uint32(g.NX)
	dst.IsDense = false
	dst.Fields = dst.Fields[:0]
	for i, name := range [...]string{"x", "y", "z"} {
		dst.Fields = append(dst.Fields, sensor_msgs.PointField{
			Name: name, Offset: uint32(i * float32Size), Datatype: sensor_msgs.PointFieldFloat32, Count: 1,
		})
	}
	for i, c := range columns {
		dst.Fields = append(dst.Fields, sensor_msgs.PointField{
			Name: c.Name, Offset: uint32(first + i*float64Size), Datatype: sensor_msgs.PointFieldFloat64, Count: 1,
		})
	}
	step := first + len(columns)*float64Size
	dst.PointStep, dst.RowStep = uint32(step), uint32(step*g.NX)
	dst.Data = make([]byte, step*g.Len())
	for k := range g.Len() {
		x, y := g.Node(k%g.NX, k/g.NX)
		z := 0.0
		if len(columns) > 0 {
			z = columns[0].Values[k]
		}
		point := dst.Data[k*step:]
		for i, v := range [...]float64{x, y, z} {
			binary.LittleEndian.PutUint32(point[i*float32Size:], math.Float32bits(float32(v)))
		}
		for i, c := range columns {
			binary.LittleEndian.PutUint64(point[first+i*float64Size:], math.Float64bits(c.Values[k]))
		}
	}
}

// CloudColumns is the inverse of Cloud: it returns the square grid of an organised cloud and the
// values of the named double-precision fields. The grid is computed from the first and
// the last point, in single precision.
func CloudColumns(m *sensor_msgs.PointCloud2, names ...string) (surface.Grid, [][]float64, error) {
	nx, ny, step := int(m.Width), int(m.Height), int(m.PointStep)
	if nx < 2 || ny < 2 {
		return surface.Grid{}, nil, fmt.Errorf("cloud of %d×%d points is not a grid, want at least 2×2", nx, ny)
	}
	if m.IsBigendian {
		return surface.Grid{}, nil, fmt.Errorf("cloud is big endian, want little endian")
	}
	if step <= 0 || len(m.Data)/step/nx < ny { // the product may be too large for an integer
		return surface.Grid{}, nil, fmt.Errorf("cloud has %d bytes, want %d×%d points of %d", len(m.Data), nx, ny, step)
	}
	offset := func(name string, datatype uint8, size int) (int, error) {
		for _, f := range m.Fields {
			if f.Name == name && f.Datatype == datatype && int(f.Offset)+size <= step {
				return int(f.Offset), nil
			}
		}
		return 0, fmt.Errorf("cloud has no field %q of datatype %d", name, datatype)
	}
	var corner [2][2]float64
	for axis, name := range [...]string{"x", "y"} {
		at, err := offset(name, sensor_msgs.PointFieldFloat32, 4)
		if err != nil {
			return surface.Grid{}, nil, err
		}
		for i, k := range [...]int{0, nx*ny - 1} {
			bits := binary.LittleEndian.Uint32(m.Data[k*step+at:])
			corner[i][axis] = float64(math.Float32frombits(bits))
		}
	}
	cell := (corner[1][0] - corner[0][0]) / float64(nx-1)
	g := surface.Grid{X0: corner[0][0], Y0: corner[0][1], DX: cell, DY: cell, NX: nx, NY: ny}
	columns := make([][]float64, len(names))
	for c, name := range names {
		at, err := offset(name, sensor_msgs.PointFieldFloat64, 8)
		if err != nil {
			return surface.Grid{}, nil, err
		}
		columns[c] = make([]float64, nx*ny)
		for k := range columns[c] {
			columns[c][k] = math.Float64frombits(binary.LittleEndian.Uint64(m.Data[k*step+at:]))
		}
	}
	return g, columns, nil
}
