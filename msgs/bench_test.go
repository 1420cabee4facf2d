package msgs

import (
	"testing"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
)

func odometry() *nav_msgs.Odometry {
	m := &nav_msgs.Odometry{}
	m.Header.Stamp.Sec = 1780000000
	m.Header.FrameID = "odom"
	m.ChildFrameID = "base_link"
	for i := range 36 {
		m.Pose.Covariance[i] = float64(i)
		m.Twist.Covariance[i] = -float64(i)
	}
	return m
}

// cloud has 2 MB of data: 65536 points of x, y, z, mean and stddev, 32 bytes each.
func cloud() *sensor_msgs.PointCloud2 {
	m := &sensor_msgs.PointCloud2{Height: 1, Width: 65536, PointStep: 32, RowStep: 2 << 20, IsDense: true, Data: make([]byte, 2<<20)}
	m.Header.FrameID = "map"
	for i, name := range []string{"x", "y", "z", "mean", "stddev"} {
		m.Fields = append(m.Fields, sensor_msgs.PointField{Name: name, Offset: uint32(4 * i), Datatype: sensor_msgs.PointFieldFloat32, Count: 1})
	}
	for i := range m.Data {
		m.Data[i] = byte(i * 7)
	}
	return m
}

func BenchmarkOdometryEncode(b *testing.B) {
	m := odometry()
	buf := m.AppendCDR(nil)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = m.AppendCDR(buf[:0])
	}
}

func BenchmarkOdometryDecode(b *testing.B) {
	src := odometry().AppendCDR(nil)
	var m nav_msgs.Odometry
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := m.UnmarshalCDR(src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPointCloud2Encode(b *testing.B) {
	m := cloud()
	buf := m.AppendCDR(nil)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = m.AppendCDR(buf[:0])
	}
}

func BenchmarkPointCloud2Decode(b *testing.B) {
	src := cloud().AppendCDR(nil)
	var m sensor_msgs.PointCloud2
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := m.UnmarshalCDR(src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCopy2MB is what PointCloud2's encoding and decoding are to be compared with.
func BenchmarkCopy2MB(b *testing.B) {
	src, dst := cloud().AppendCDR(nil), make([]byte, 3<<20)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		copy(dst, src)
	}
}

func BenchmarkOccupancyGridDecode(b *testing.B) {
	src := (&nav_msgs.OccupancyGrid{Data: make([]int8, 1<<20)}).AppendCDR(nil)
	var m nav_msgs.OccupancyGrid
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := m.UnmarshalCDR(src); err != nil {
			b.Fatal(err)
		}
	}
}
