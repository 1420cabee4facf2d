package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// TimePanel is a plot of series over time. The series have the same labels in each panel of a
// picture, or none.
type TimePanel struct {
	Title  string
	Series []Series // Mean over At; Deviation is not used; without a value: no line
}

// TimesPNG draws panels in the given number of columns. axis is the title of their horizontal axes.
func TimesPNG(axis string, columns int, panels []TimePanel) ([]byte, error) {
	var plots []*plot.Plot
	var legend []entry
	last := 0.0
	for k, p := range panels {
		q := newPanel(axis, p.Title)
		for i, s := range p.Series {
			line := &plotter.Line{LineStyle: seriesStyle(i)}
			line.Width = 1.1
			for j, x := range s.At {
				line.XYs = append(line.XYs, plotter.XY{X: x, Y: s.Mean[j]})
				last = max(last, x)
			}
			if len(line.XYs) > 0 {
				q.Add(line)
			}
			if k == 0 {
				legend = append(legend, entry{s.Label, []plot.Thumbnailer{line}})
			}
		}
		plots = append(plots, q)
	}
	for _, q := range plots {
		q.X.Min, q.X.Max, q.Y.Min = 0, last, 0
	}
	rows := vg.Length((len(plots) + columns - 1) / columns)
	return picturePNG(curveWidth*1.2, curveHeight*0.55*rows, legend, plotsIn(plots, columns))
}
