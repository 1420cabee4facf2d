package experiment

import (
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// MeanError returns the mean of x and its standard error.
func MeanError(x []float64) (mean, standardError float64) {
	mean, deviation := stat.MeanStdDev(x, nil)
	return mean, stat.StdErr(deviation, float64(len(x)))
}

// Paired is how one method did against another on the same trials.
type Paired struct {
	Difference, StandardError float64 // of the other's figures less the first's
	Wins                      int     // trials on which the first's was the smaller
}

// Compare compares the other's figures with the first's, trial by trial. It
// panics when there are not as many.
func Compare(first, other []float64) Paired {
	if len(first) != len(other) {
		panic("experiment: figures that are not paired")
	}
	behind, wins := make([]float64, len(first)), 0
	for i := range first {
		behind[i] = other[i] - first[i]
		if behind[i] > 0 {
			wins++
		}
	}
	mean, se := MeanError(behind)
	return Paired{mean, se, wins}
}

// String writes a cell of a table.
func (p Paired) String() string {
	return fmt.Sprintf("%.4f ± %.4f (%d)", p.Difference, p.StandardError, p.Wins)
}
