package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"ugp_explorer/planner"
)

// word is the unparsed value of a flag. It may be a negative number, which kong would
// take for another flag.
type word string

// Decode takes the next argument unless it is a flag.
func (w *word) Decode(ctx *kong.DecodeContext) error {
	next := ctx.Scan.Peek()
	if next.IsEOL() || next.InferredType() == kong.FlagToken || next.String() == "" {
		return errors.New("a value is missing")
	}
	*w = word(ctx.Scan.Pop().String())
	return nil
}

// number parses a whole number from lo to hi.
func (w word) number(flag string, lo, hi int64) (int64, error) {
	n, err := strconv.ParseInt(string(w), 10, 64)
	if err != nil || n < lo || n > hi {
		return 0, badInput{fmt.Errorf("%s is %q: want a whole number from %d to %d", flag, string(w), lo, hi)}
	}
	return n, nil
}

// workers parses the number of --workers, 0 for the number of processors.
func (w word) workers() (int, error) {
	n, err := w.number("--workers", 0, 1000)
	if n == 0 {
		n = int64(runtime.NumCPU())
	}
	return int(n), err
}

// float parses a number from lo to hi.
func (w word) float(flag string, lo, hi float64) (float64, error) {
	x, err := strconv.ParseFloat(string(w), 64)
	if err != nil || !(x >= lo && x <= hi) {
		return 0, badInput{fmt.Errorf("%s is %q: want a number from %s to %s", flag, string(w), decimal(lo), decimal(hi))}
	}
	return x, nil
}

// decimal writes a limit without an exponent.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// place parses a longitude and a latitude, degrees.
func (w word) place(flag string) (at [2]float64, err error) {
	parts := strings.Split(string(w), ",")
	ok := len(parts) == 2
	for i, limit := range []float64{180, 90} {
		if !ok {
			break
		}
		at[i], err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		ok = err == nil && at[i] >= -limit && at[i] <= limit
	}
	if !ok {
		return at, badInput{fmt.Errorf("%s is %q: want two numbers separated by a comma, the longitude (-180 to 180) and the latitude (-90 to 90) in degrees", flag, string(w))}
	}
	return at, nil
}

// method returns an error unless the catalogue has a method of that name.
func method(flag, name string, catalogue planner.Catalogue) error {
	names := catalogue.MethodNames()
	if !slices.Contains(names, name) {
		return badInput{fmt.Errorf("%s is %q: want one of %s", flag, name, strings.Join(names, ", "))}
	}
	return nil
}
