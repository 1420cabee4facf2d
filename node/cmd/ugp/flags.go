// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
	"ugp_explorer/planner/earth"
)

// word takes the value of a flag. It may be a negative number, which kong would take for another flag.
func word(ctx *kong.DecodeContext) (string, error) {
	next := ctx.Scan.Peek()
	if next.IsEOL() || next.InferredType() == kong.FlagToken || next.String() == "" {
		return "", errMissing
	}
	return ctx.Scan.Pop().String(), nil
}

// number reads the number of a flag, which is within the limits of its tags from and to.
func number(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := word(ctx)
	if err != nil {
		return err
	}
	from, to := ctx.Value.Tag.Get("from"), ctx.Value.Tag.Get("to")
	switch kind := target.Kind(); kind {
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !within(ctx, x) {
			return fmt.Errorf("%q: want a number from %s to %s", text, from, to)
		}
		target.SetFloat(x)
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		lo, _ := strconv.ParseInt(from, 10, 64)
		hi, _ := strconv.ParseInt(to, 10, 64)
		if err != nil || n < lo || n > hi {
			return fmt.Errorf("%q: want a whole number from %s to %s", text, from, to)
		}
		target.Set(reflect.ValueOf(n).Convert(target.Type()))
	}
	return nil
}

// within reports whether a number is finite and within the limits of the tags from and to.
func within(ctx *kong.DecodeContext, x float64) bool {
	lo, _ := ctx.Value.Tag.GetFloat("from") // constants, which the tests of the flags use
	hi, _ := ctx.Value.Tag.GetFloat("to")
	return x >= lo && x <= hi
}

// numbers has the flags of the kinds of numbers read by number.
var numbers = kong.OptionFunc(func(k *kong.Kong) error {
	for _, kind := range []reflect.Kind{reflect.Float64, reflect.Int, reflect.Int64, reflect.Uint64} {
		if err := kong.KindMapper(kind, kong.MapperFunc(number)).Apply(k); err != nil {
			return err
		}
	}
	return nil
})

// texts has kong's flags of texts and paths, with a plain word about a value that is missing at the end.
var texts = kong.OptionFunc(func(k *kong.Kong) error {
	usual := kong.NewRegistry().RegisterDefaults()
	given := func(m kong.Mapper) kong.Mapper {
		return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
			if ctx.Scan.Peek().IsEOL() {
				return errMissing
			}
			return m.Decode(ctx, target)
		})
	}
	text := reflect.ValueOf("")
	return errors.Join(kong.KindMapper(reflect.String, given(usual.ForValue(text))).Apply(k), kong.NamedMapper("path", given(usual.ForNamedValue("path", text))).Apply(k))
})

var errMissing = errors.New("a value is missing")

// pair is the value of a flag with two numbers, separated by a comma.
type pair struct {
	text string // empty: the flag is not given
	at   [2]float64
}

func (p *pair) read(ctx *kong.DecodeContext, want string, ok func(a, b float64) bool) (err error) {
	if p.text, err = word(ctx); err != nil {
		return err
	}
	parts := strings.Split(p.text, ",")
	if len(parts) == 2 {
		for i := range parts {
			var bad error
			p.at[i], bad = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
			err = errors.Join(err, bad)
		}
	}
	if len(parts) != 2 || err != nil || !ok(p.at[0], p.at[1]) {
		return fmt.Errorf("%q: want two numbers separated by a comma, %s", p.text, want)
	}
	return nil
}

// worth is a candidate raster: its correlation with the field, or its file.
type worth struct {
	correlation float64
	file        string // empty: the correlation is known
}

// Decode implements kong.MapperValue.
func (w *worth) Decode(ctx *kong.DecodeContext) error {
	text, err := word(ctx)
	if err != nil {
		return err
	}
	if w.correlation, err = strconv.ParseFloat(text, 64); err != nil {
		w.file = text
	} else if !(math.Abs(w.correlation) <= 1) {
		return fmt.Errorf("%q: want the correlation of a raster with the field, from -1 to 1, or a file", text)
	}
	return nil
}

// correlation is a correlation with the field.
type correlation float64

// Decode implements kong.MapperValue. The number may be left out.
func (c *correlation) Decode(ctx *kong.DecodeContext) error {
	*c = simulation.DefaultCorrelation
	next := ctx.Scan.Peek()
	r, err := strconv.ParseFloat(next.String(), 64)
	if next.IsEOL() || err != nil && next.Type != kong.FlagValueToken {
		return nil
	}
	ctx.Scan.Pop()
	if *c = correlation(r); err != nil || !(math.Abs(r) <= 1) {
		return fmt.Errorf("%q: want a correlation with the field, from -1 to 1", next)
	}
	return nil
}

// lonLat is a longitude and a latitude, degrees.
type lonLat struct{ pair }

// Decode implements kong.MapperValue.
func (p *lonLat) Decode(ctx *kong.DecodeContext) error {
	return p.read(ctx, "the longitude (-180 to 180) and the latitude (-90 to 90) in degrees",
		func(lon, lat float64) bool { return math.Abs(lon) <= 180 && math.Abs(lat) <= 90 })
}

// suggested takes the datum that an error about coordinates in degrees suggests, and reports whether there is one. It
// does nothing if the flag is given.
func (p *lonLat) suggested(err error) bool {
	var degrees *earth.DegreesError
	if p.text != "" || !errors.As(err, &degrees) || degrees.Datum.Validate() != nil {
		return false
	}
	p.at = [2]float64{degrees.Datum.Lon, degrees.Datum.Lat}
	p.text = fmt.Sprintf("%.9g,%.9g", p.at[0], p.at[1])
	return true
}

// interval is an interval within the limits of the tags from and to.
type interval struct{ pair }

// Decode implements kong.MapperValue.
func (p *interval) Decode(ctx *kong.DecodeContext) error {
	return p.read(ctx, "the smaller one first", func(a, b float64) bool { return a < b && within(ctx, a) && within(ctx, b) })
}

// period is an interval of time, s.
type period struct{ at [2]float64 }

// Decode implements kong.MapperValue.
func (p *period) Decode(ctx *kong.DecodeContext) error {
	text, err := word(ctx)
	if err != nil {
		return err
	}
	from, to, _ := strings.Cut(text, ",")
	at, ok := inUnits(ctx, from, times)
	until, okToo := inUnits(ctx, to, times)
	if !ok || !okToo || at >= until {
		return fmt.Errorf("%q: want two numbers of seconds separated by a comma, the smaller one first, such as 90s,10min", text)
	}
	p.at = [2]float64{at, until}
	return nil
}

// Numbers with a unit.
type (
	metres  float64
	seconds float64
	speed   float64 // m/s
)

// Decode implements kong.MapperValue.
func (m *metres) Decode(ctx *kong.DecodeContext) error {
	return quantity(ctx, "6km, 800m or 50cm", "m", map[string]float64{"km": 1000, "m": 1, "cm": 0.01, "": 1}, (*float64)(m))
}

// times are the units of a time, s.
var times = map[string]float64{"h": 3600, "min": 60, "s": 1, "": 1}

// Decode implements kong.MapperValue.
func (s *seconds) Decode(ctx *kong.DecodeContext) error {
	return quantity(ctx, "2h, 90min or 600s", "s", times, (*float64)(s))
}

// Decode implements kong.MapperValue.
func (v *speed) Decode(ctx *kong.DecodeContext) error {
	return quantity(ctx, "1.2m/s or 4km/h", "m/s", map[string]float64{"km/h": 1 / 3.6, "m/s": 1, "": 1}, (*float64)(v))
}

// quantity reads a number with one of some units, which are factors of the unit base, that of a number alone.
func quantity(ctx *kong.DecodeContext, example, base string, units map[string]float64, v *float64) error {
	text, err := word(ctx)
	if err != nil {
		return err
	}
	var ok bool
	if *v, ok = inUnits(ctx, text, units); !ok {
		return fmt.Errorf("%q: want a number, such as %s, from %s to %s %s", text, example, ctx.Value.Tag.Get("from"), ctx.Value.Tag.Get("to"), base)
	}
	return nil
}

// inUnits reads a number with one of some units, which must be within the limits of the tags from and to.
func inUnits(ctx *kong.DecodeContext, text string, units map[string]float64) (v float64, ok bool) {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz/")
	factor := units[text[len(digits):]]
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	v *= factor
	return v, err == nil && factor != 0 && within(ctx, v)
}

// method returns an error unless the catalogue has a method of that name.
func method(flag, name string, catalogue planner.Catalogue) error {
	names := catalogue.MethodNames()
	if !slices.Contains(names, name) {
		return badInput{fmt.Errorf("%s is %q: want one of %s", flag, name, strings.Join(names, ", "))}
	}
	return nil
}
