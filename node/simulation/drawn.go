package simulation

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// DrawnCovariate, in the explorer's list of rasters, stands for a raster that the simulation draws so that
// it goes with the true field: their correlation over the field is drawnCorrelation.
const DrawnCovariate = "farm"

const drawnCorrelation = 0.6

// drawnFile is the file of the drawn raster in the mission's folder: points 1/drawnAcross of the field's width apart.
const (
	drawnFile   = "drawn_raster.csv"
	drawnAcross = 80
)

// drawCovariate replaces DrawnCovariate by the file of a raster.
func (c *Config) drawCovariate(truth *surface.GridField, outline field.Field) error {
	i := slices.Index(c.Explorer.Covariates, DrawnCovariate)
	if i < 0 {
		return nil
	}
	if c.Explorer.OutputDir == "" {
		return errors.New("the raster " + DrawnCovariate + " is drawn into the mission's folder, and there is none")
	}
	cfg := sim.DefaultSyntheticConfig()
	bound := outline.Boundary.Bound()
	side := max(bound.Right()-bound.Left(), bound.Top()-bound.Bottom())
	cfg.Outline, cfg.Spacing = bound.ToPolygon(), side/drawnAcross/2
	cfg.Variogram.Range = min(cfg.Variogram.Range, 0.6*side)
	const another = 1 << 32 // no mission has this seed
	noise, err := sim.NewSynthetic(cfg, another+uint64(c.Fieldsim.Seed))
	if err != nil {
		return err
	}
	var places []orb.Point
	var values, other []float64
	for x := bound.Left(); x <= bound.Right(); x += side / drawnAcross {
		for y := bound.Bottom(); y <= bound.Top(); y += side / drawnAcross {
			if planar.PolygonContains(outline.Boundary, orb.Point{x, y}) {
				places = append(places, orb.Point{x, y})
				values, other = append(values, truth.Smooth(x, y)), append(other, noise.Smooth(x, y))
			}
		}
	}
	if len(places) < 2 {
		return fmt.Errorf("the raster %s has %d points in the field", DrawnCovariate, len(places))
	}
	standardise(values)
	standardise(other)
	floats.AddScaled(other, -stat.Correlation(values, other, nil), values) // so that the correlation is exact
	standardise(other)
	var text bytes.Buffer
	text.WriteString("x,y,value\n")
	for k, p := range places {
		fmt.Fprintf(&text, "%.2f,%.2f,%.4f\n", p[0], p[1], drawnCorrelation*values[k]+math.Sqrt(1-drawnCorrelation*drawnCorrelation)*other[k])
	}
	if err := os.MkdirAll(c.Explorer.OutputDir, 0o755); err != nil {
		return err
	}
	c.Explorer.Covariates = slices.Clone(c.Explorer.Covariates)
	c.Explorer.Covariates[i] = filepath.Join(c.Explorer.OutputDir, drawnFile)
	return os.WriteFile(c.Explorer.Covariates[i], text.Bytes(), 0o644)
}

func standardise(v []float64) {
	mean, stdDev := stat.MeanStdDev(v, nil)
	floats.AddConst(-mean, v)
	floats.Scale(1/stdDev, v)
}
