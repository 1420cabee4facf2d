// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

func TestConstraints(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	double := func(opts ...param.Option) func(*param.Set) {
		v := 1.0
		return func(s *param.Set) { s.Float64(&v, "p", append(opts, param.Live())...) }
	}
	integer := func(opts ...param.Option) func(*param.Set) {
		v := int64(1)
		return func(s *param.Set) { s.Int64(&v, "p", append(opts, param.Live())...) }
	}
	doubles := func(opts ...param.Option) func(*param.Set) {
		v := []float64{1, 1}
		return func(s *param.Set) { s.Float64s(&v, "p", append(opts, param.Live())...) }
	}
	text := func(opts ...param.Option) func(*param.Set) {
		v := "a"
		return func(s *param.Set) { s.String(&v, "p", append(opts, param.Live())...) }
	}
	f, i, s := param.NewValue[float64], param.NewValue[int64], param.NewValue[string]
	for _, c := range []struct {
		allowed string // in words
		declare func(*param.Set)
		good    []param.Value
		bad     []param.Value
	}{
		{"double", double(), []param.Value{f(-1e308), f(0), i(3), i(-1 << 53)}, []param.Value{f(inf), f(-inf), f(nan), s("1"), param.NewValue(true), i(1<<53 + 1), {}}},
		{"double from 0 to 100", double(param.Range(0, 100)), []param.Value{f(0), f(100), i(100)}, []param.Value{f(-1e-9), f(100.1), f(nan)}},
		{"double 0 or more, infinity allowed", double(param.Range(0, inf)), []param.Value{f(0), f(inf)}, []param.Value{f(-0.1), f(-inf), f(nan)}},
		{"double above 0", double(param.Above(0)), []param.Value{f(1e-300)}, []param.Value{f(0), f(inf)}},
		{"double 0.5 or more (m)", double(param.AtLeast(0.5), param.Unit("m")), []param.Value{f(0.5)}, []param.Value{f(0.4), f(inf)}},
		{"integer", integer(), []param.Value{i(math.MaxInt64), i(math.MinInt64)}, []param.Value{f(1), s("1")}},
		{"integer from 1 to 5", integer(param.Range(1, 5)), []param.Value{i(1), i(5)}, []param.Value{i(0), i(6), f(3)}},
		{"double array of 2 elements, above 0", doubles(param.Length(2, 2), param.Above(0)), []param.Value{param.NewValue([]float64{1, 2}), integers(1, 2)},
			[]param.Value{param.NewValue([]float64{1}), param.NewValue([]float64{1, 2, 3}), param.NewValue([]float64{1, 0}), f(1), param.NewValue([]string{"1", "2"})}},
		{"double array of 1 elements or more", doubles(param.Length(1, -1)), []param.Value{param.NewValue([]float64{1})}, []param.Value{param.NewValue([]float64{}), param.NewValue([]float64{nan})}},
		{"double array of 0 to 3 elements", doubles(param.Length(0, 3)), []param.Value{integers()}, []param.Value{param.NewValue(make([]float64, 4))}},
		{`string one of "a", "b"`, text(param.OneOf("a", "b")), []param.Value{s("b")}, []param.Value{s("c"), s(""), i(1)}},
		{"string", text(), []param.Value{s(""), s("é")}, []param.Value{param.NewValue(false)}},
	} {
		for _, v := range c.good {
			set := param.NewSet()
			c.declare(set)
			if err := errors.Join(set.Err(), set.Set(param.Assignment{Name: "p", Value: v})); err != nil {
				t.Errorf("%s: %v is refused: %v", c.allowed, v, err)
			}
		}
		for _, v := range c.bad {
			set := param.NewSet()
			c.declare(set)
			err := set.Set(param.Assignment{Name: "p", Value: v})
			var pe *param.Error
			if !errors.As(err, &pe) || pe.Allowed != c.allowed || !strings.Contains(pe.Given, v.String()) {
				t.Errorf("%s: %v gives %v", c.allowed, v, err)
			}
		}
	}
}

// integers returns a list as files have it, and messages of others.
func integers(list ...int64) param.Value {
	return param.ValueOf(&ri.ParameterValue{Type: ri.ParameterTypeParameterIntegerArray, IntegerArrayValue: list})
}

func TestSetIsAtomic(t *testing.T) {
	a, b, words := 1.0, int64(2), []string{"x"}
	set := param.NewSet()
	set.Float64(&a, "a", param.Live())
	set.Int64(&b, "b", param.Live())
	set.Strings(&words, "words", param.Live())
	asked := 0
	set.OnChange(func() error {
		if asked++; a > float64(b) {
			return errors.New("a must not exceed b")
		}
		return nil
	})
	to := func(name string, v param.Value) param.Assignment { return param.Assignment{Name: name, Value: v} }
	// A bad value: nothing is set, and nobody asked.
	err := set.Set(to("a", param.NewValue(1.5)), to("b", param.NewValue("x")), to("c", param.NewValue(1.0)))
	if err == nil || strings.Count(err.Error(), "parameter") < 2 || a != 1 || asked != 0 {
		t.Errorf("%v; a = %v, asked %d times", err, a, asked)
	}
	// Refused as a whole: everything goes back, also where one is set twice.
	if err := set.Set(to("words", param.NewValue([]string{"y"})), to("a", param.NewValue(1.5)), to("a", param.NewValue(9.0))); err == nil || err.Error() != "a must not exceed b" || a != 1 || words[0] != "x" {
		t.Errorf("%v; a = %v, words = %v", err, a, words)
	}
	if err := set.Set(to("a", param.NewValue(9.0)), to("b", param.NewValue[int64](10))); err != nil || a != 9 || b != 10 {
		t.Errorf("%v; a = %v, b = %v", err, a, b)
	}
	// Values are copies, both ways.
	mine := []string{"mine"}
	must.OK(t, set.Set(to("words", param.NewValue(mine))))
	mine[0] = "changed"
	got, _ := set.Get("words")
	words[0] = "field"
	if got.String() != `["mine"]` {
		t.Errorf("the value is %v", got)
	}
}

func TestDeclarations(t *testing.T) {
	var x float64
	var i int
	set := param.NewSet()
	set.Float64(&x, "x", param.Range(1, 2), param.Live())
	set.Float64(&x, "bad name", param.Live())
	set.Int(&i, "i", param.Live())
	set.Int(&i, "i", param.Live())
	set.Int(&i, ".i", param.Live())
	set.Int(&i, "a..b", param.Live())
	set.Int(&i, "1a", param.Live())
	err := set.Err()
	for _, want := range []string{`"x": its default is 0.0, allowed is double from 1 to 2`, `"bad name": a name is`, `"i": declared twice`, `".i": a name`, `"a..b": a name`, `"1a": a name`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the errors lack %q:\n%v", want, err)
		}
	}
	if _, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "n", ros.NodeOptions{Parameters: set}); err == nil || !strings.Contains(err.Error(), "/n") {
		t.Errorf("a node with bad declarations: %v", err)
	}
}

// A name of a file may begin with the home directory, as in a shell; other strings may not.
func TestFilesAtHome(t *testing.T) {
	t.Setenv("HOME", "/home/of a robot")
	var file, word string
	var files []string
	set := param.NewSet()
	set.String(&file, "file", param.File())
	set.Strings(&files, "files", param.File())
	set.String(&word, "word")
	o := &param.Overrides{}
	must.OK(t, o.AddYAML("f.yaml", []byte("n: {ros__parameters: {file: ~/my field.geojson, files: [a/~/b, ~/c, ~me/d], word: ~/start}}")))
	err := set.Override("/n", o)
	must.OK(t, err)
	if file != "/home/of a robot/my field.geojson" || strings.Join(files, " ") != "a/~/b /home/of a robot/c ~me/d" || word != "~/start" {
		t.Errorf("%q, %q, %q", file, files, word)
	}
	for _, bad := range []string{`file:="$HOME/missions"`, `file:="/a/${USER}/b"`, `file:="$(var output_dir)"`, `files:=["a", "$HOME/b"]`} {
		o := &param.Overrides{}
		must.OK(t, o.AddAssignment(bad))
		if err := set.Override("/n", o); err == nil || !strings.Contains(err.Error(), "variables are not replaced in the name of a file: write the name itself, which may begin with ~/, given ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	t.Setenv("HOME", "")
	if err := set.Override("/n", o); err == nil || !strings.Contains(err.Error(), "HOME is not set: write the whole name, given ") {
		t.Errorf("without a home folder: %v", err)
	}
	t.Setenv("HOME", "/home/of a robot")
	must.OK(t, o.AddAssignment(`word:="$HOME"`))
	must.OK(t, o.AddAssignment(`file:="price in $.geojson"`))
	must.OK(t, set.Override("/n", o))
}

// A list without its brackets is told so.
func TestListsNeedBrackets(t *testing.T) {
	var numbers []float64
	set := param.NewSet()
	set.Float64s(&numbers, "numbers", param.Length(0, 2))
	o := &param.Overrides{}
	must.OK(t, o.AddAssignment("numbers:=1.5,2.5"))
	const want = `parameter "numbers": given "1.5,2.5", a list needs brackets, as in [a, b], allowed is double array of 0 to 2 elements`
	if err := set.Override("/n", o); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
