package report

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks places labels at multiples of 1, 2 or 5 times a power of ten, at most
// so many of them.
type ticks int

var _ plot.Ticker = ticks(0)

// Ticks returns the ticks from lo to hi, both included.
func (n ticks) Ticks(lo, hi float64) []plot.Tick { return n.every(0, lo, hi) }

// wholeTicks are ticks at whole numbers only.
type wholeTicks int

var _ plot.Ticker = wholeTicks(0)

// Ticks returns the ticks from lo to hi, both included.
func (n wholeTicks) Ticks(lo, hi float64) []plot.Tick { return ticks(n).every(1, lo, hi) }

// every returns the ticks whose step is not below a least one.
func (n ticks) every(least, lo, hi float64) []plot.Tick {
	step := niceStep((hi - lo) / float64(max(1, n-1)))
	if step == 0 {
		return nil
	}
	step = math.Max(step, least)
	// A tick may miss the ends by rounding of the division alone.
	const slack = 1e-9
	var list []plot.Tick
	first := math.Ceil(lo/step - slack)
	for i := range int(n) {
		k := first + float64(i)
		if k > hi/step+slack {
			break
		}
		v := k * step
		list = append(list, plot.Tick{Value: v, Label: label(v, step)})
	}
	return list
}

// niceStep returns the least 1, 2 or 5 times a power of ten that is not below
// a positive length, else 0.
func niceStep(length float64) float64 {
	if !(length > 0) || !finite(length) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(length)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= length*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// label writes a multiple of a step with the decimals that the step needs.
func label(v, step float64) string {
	if math.Abs(v) < step/2 {
		return "0"
	}
	text := strconv.FormatFloat(v, 'g', 3, 64)
	if e := math.Floor(math.Log10(step) + 1e-9); e >= -5 && math.Abs(v) < 1e7 {
		text = strconv.FormatFloat(v, 'f', int(math.Max(0, -e)), 64)
	}
	return strings.ReplaceAll(text, "-", "−")
}
