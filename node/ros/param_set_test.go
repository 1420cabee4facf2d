package ros_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"ugp_explorer/node/ros"
)

func TestParameterConstraints(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	double := func(opts ...ros.ParameterOption) func(*ros.ParameterSet) {
		v := 1.0
		return func(s *ros.ParameterSet) { s.Float64(&v, "p", opts...) }
	}
	integer := func(opts ...ros.ParameterOption) func(*ros.ParameterSet) {
		v := int64(1)
		return func(s *ros.ParameterSet) { s.Int64(&v, "p", opts...) }
	}
	doubles := func(opts ...ros.ParameterOption) func(*ros.ParameterSet) {
		v := []float64{1, 1}
		return func(s *ros.ParameterSet) { s.Float64s(&v, "p", opts...) }
	}
	text := func(opts ...ros.ParameterOption) func(*ros.ParameterSet) {
		v := "a"
		return func(s *ros.ParameterSet) { s.String(&v, "p", opts...) }
	}
	f, i, s := ros.NewValue[float64], ros.NewValue[int64], ros.NewValue[string]
	for _, c := range []struct {
		allowed string // in words
		declare func(*ros.ParameterSet)
		good    []ros.Value
		bad     []ros.Value
	}{
		{"double", double(), []ros.Value{f(-1e308), f(0), i(3), i(-1 << 53)}, []ros.Value{f(inf), f(-inf), f(nan), s("1"), ros.NewValue(true), i(1<<53 + 1), {}}},
		{"double from 0 to 100", double(ros.Range(0, 100)), []ros.Value{f(0), f(100), i(100)}, []ros.Value{f(-1e-9), f(100.1), f(nan)}},
		{"double 0 or more, infinity allowed", double(ros.Range(0, inf)), []ros.Value{f(0), f(inf)}, []ros.Value{f(-0.1), f(-inf), f(nan)}},
		{"double above 0", double(ros.Above(0)), []ros.Value{f(1e-300)}, []ros.Value{f(0), f(inf)}},
		{"double 0.5 or more (m)", double(ros.AtLeast(0.5), ros.Unit("m")), []ros.Value{f(0.5)}, []ros.Value{f(0.4), f(inf)}},
		{"double 2 or less", double(ros.AtMost(2)), []ros.Value{f(2), f(-1e300)}, []ros.Value{f(2.1), f(-inf)}},
		{"double below 2", double(ros.Below(2)), []ros.Value{f(1.9)}, []ros.Value{f(2)}},
		{"double above 0 up to 2", double(ros.Above(0), ros.AtMost(2)), []ros.Value{f(2)}, []ros.Value{f(0)}},
		{"double above 0 and below 2", double(ros.Below(2), ros.Above(0)), []ros.Value{f(1)}, []ros.Value{f(0), f(2)}},
		{"double from 0 and below 2", double(ros.AtLeast(0), ros.Below(2)), []ros.Value{f(0)}, []ros.Value{f(2)}},
		{"integer", integer(), []ros.Value{i(math.MaxInt64), i(math.MinInt64)}, []ros.Value{f(1), s("1")}},
		{"integer from 1 to 5", integer(ros.Range(1, 5)), []ros.Value{i(1), i(5)}, []ros.Value{i(0), i(6), f(3)}},
		{"double array of 2 elements, above 0", doubles(ros.Length(2, 2), ros.Above(0)), []ros.Value{ros.NewValue([]float64{1, 2}), ros.NewValue([]int64{1, 2})},
			[]ros.Value{ros.NewValue([]float64{1}), ros.NewValue([]float64{1, 2, 3}), ros.NewValue([]float64{1, 0}), f(1), ros.NewValue([]string{"1", "2"})}},
		{"double array of 1 elements or more", doubles(ros.Length(1, -1)), []ros.Value{ros.NewValue([]float64{1})}, []ros.Value{ros.NewValue([]float64{}), ros.NewValue([]float64{nan})}},
		{"double array of 0 to 3 elements", doubles(ros.Length(0, 3)), []ros.Value{ros.NewValue([]int64{})}, []ros.Value{ros.NewValue(make([]float64, 4))}},
		{`string one of "a", "b"`, text(ros.OneOf("a", "b")), []ros.Value{s("b")}, []ros.Value{s("c"), s(""), i(1)}},
		{"string", text(), []ros.Value{s(""), s("é")}, []ros.Value{ros.NewValue(false)}},
	} {
		for _, v := range c.good {
			set := ros.NewParameterSet()
			c.declare(set)
			if err := errors.Join(set.Err(), set.Set(ros.Assignment{Name: "p", Value: v})); err != nil {
				t.Errorf("%s: %v is refused: %v", c.allowed, v, err)
			}
		}
		for _, v := range c.bad {
			set := ros.NewParameterSet()
			c.declare(set)
			err := set.Set(ros.Assignment{Name: "p", Value: v})
			var pe *ros.ParameterError
			if !errors.As(err, &pe) || pe.Allowed != c.allowed || !strings.Contains(pe.Given, v.String()) {
				t.Errorf("%s: %v gives %v", c.allowed, v, err)
			}
		}
	}
}

func TestParameterSetIsAtomic(t *testing.T) {
	a, b, words := 1.0, int64(2), []string{"x"}
	set := ros.NewParameterSet()
	set.Float64(&a, "a")
	set.Int64(&b, "b")
	set.Strings(&words, "words")
	asked := 0
	set.OnChange(func() error {
		if asked++; a > float64(b) {
			return errors.New("a must not exceed b")
		}
		return nil
	})
	to := func(name string, v ros.Value) ros.Assignment { return ros.Assignment{Name: name, Value: v} }
	// A bad value: nothing is set, and nobody asked.
	err := set.Set(to("a", ros.NewValue(1.5)), to("b", ros.NewValue("x")), to("c", ros.NewValue(1.0)))
	if err == nil || strings.Count(err.Error(), "parameter") < 2 || a != 1 || asked != 0 {
		t.Errorf("%v; a = %v, asked %d times", err, a, asked)
	}
	// Refused as a whole: everything goes back, also where one is set twice.
	if err := set.Set(to("words", ros.NewValue([]string{"y"})), to("a", ros.NewValue(1.5)), to("a", ros.NewValue(9.0))); err == nil || err.Error() != "a must not exceed b" || a != 1 || words[0] != "x" {
		t.Errorf("%v; a = %v, words = %v", err, a, words)
	}
	if err := set.Set(to("a", ros.NewValue(9.0)), to("b", ros.NewValue[int64](10))); err != nil || a != 9 || b != 10 {
		t.Errorf("%v; a = %v, b = %v", err, a, b)
	}
	// Values are copies, both ways.
	mine := []string{"mine"}
	if err := set.Set(to("words", ros.NewValue(mine))); err != nil {
		t.Fatal(err)
	}
	mine[0] = "changed"
	got, _ := set.Get("words")
	words[0] = "field"
	if got.String() != `["mine"]` {
		t.Errorf("the value is %v", got)
	}
}

func TestParameterSuggestion(t *testing.T) {
	var x float64
	set := ros.NewParameterSet()
	for _, name := range []string{"beta", "length_scale", "ucb.delta"} {
		set.Float64(&x, name)
	}
	for _, c := range []struct{ typed, meant string }{
		{"betta", "beta"}, {"Beta", "beta"}, {"lenght_scale", "length_scale"}, {"length_scales", "length_scale"}, {"ucb.dleta", "ucb.delta"}, {"frame", ""},
	} {
		var pe *ros.ParameterError
		if err := set.Set(ros.Assignment{Name: c.typed, Value: ros.NewValue(1.0)}); !errors.As(err, &pe) || pe.Suggestion != c.meant {
			t.Errorf("%q suggests %q, want %q (%v)", c.typed, pe.Suggestion, c.meant, err)
		}
	}
}

func TestParameterDeclarations(t *testing.T) {
	var x float64
	var i int
	set := ros.NewParameterSet()
	set.Float64(&x, "x", ros.Range(1, 2))
	set.Float64(&x, "bad name")
	set.Int(&i, "i")
	set.Int(&i, "i")
	set.Int(&i, ".i")
	set.Int(&i, "a..b")
	set.Int(&i, "1a")
	err := set.Err()
	for _, want := range []string{`"x": its default is 0.0, allowed is double from 1 to 2`, `"bad name": a name is`, `"i": declared twice`, `".i": a name`, `"a..b": a name`, `"1a": a name`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the errors lack %q:\n%v", want, err)
		}
	}
	if _, err := ros.NewNode(ros.NewInProcess(), ros.NewSimulated(0), "n", ros.NodeOptions{Parameters: set}); err == nil || !strings.Contains(err.Error(), "/n") {
		t.Errorf("a node with bad declarations: %v", err)
	}
}

// Check sees what a program has written into the fields.
func TestParameterCheck(t *testing.T) {
	x, mode, home := 1.5, "plan", []float64{1, 2}
	set := ros.NewParameterSet()
	set.Float64(&x, "x", ros.Range(1, 2))
	set.String(&mode, "mode", ros.OneOf("plan", "goal"))
	set.Float64s(&home, "home", ros.Length(0, 2))
	if err := set.Check(); err != nil {
		t.Error(err)
	}
	x, mode, home = math.NaN(), "fast", []float64{1, 2, 3}
	err := set.Check()
	for _, want := range []string{`parameter "x": given .nan (double), allowed is double from 1 to 2`, `parameter "mode": given "fast", allowed is string one of "plan", "goal"`, `parameter "home"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the errors lack %q:\n%v", want, err)
		}
	}
	x, home = 2, nil
	var pe *ros.ParameterError
	if err := set.Check(); !errors.As(err, &pe) || pe.Name != "mode" || strings.Contains(err.Error(), "x") {
		t.Errorf("error %v, want one about mode alone", err)
	}
}

func TestParameterRows(t *testing.T) {
	cfg := struct {
		Speed  float64
		Mode   string
		Budget int
		Names  []string
		On     bool
	}{Speed: 0.5, Mode: "ugp", Budget: 30, Names: []string{"a", "b"}}
	set := ros.NewParameterSet()
	set.Float64(&cfg.Speed, "speed", ros.Unit("m/s"), ros.Above(0), ros.AtMost(2), ros.Describe("driving speed"))
	set.String(&cfg.Mode, "mode", ros.OneOf("ugp", "random"), ros.ReadOnly())
	set.Int(&cfg.Budget, "budget", ros.Range(1, 1000))
	set.Strings(&cfg.Names, "names")
	set.Bool(&cfg.On, "on")
	want := []ros.ParameterRow{
		{Name: "speed", Type: "double", Unit: "m/s", Default: "0.5", Range: "above 0 up to 2", Description: "driving speed"},
		{Name: "mode", Type: "string", Default: `"ugp"`, Range: `one of "ugp", "random"`, ReadOnly: true},
		{Name: "budget", Type: "integer", Default: "30", Range: "from 1 to 1000"},
		{Name: "names", Type: "string array", Default: `["a", "b"]`},
		{Name: "on", Type: "bool", Default: "false"},
	}
	if err := set.Set(ros.Assignment{Name: "budget", Value: ros.NewValue[int64](7)}); err != nil || cfg.Budget != 7 {
		t.Fatalf("budget is %d, %v", cfg.Budget, err)
	}
	if got := set.Rows(); !reflect.DeepEqual(got, want) { // defaults, not values
		t.Errorf("rows are\n%+v, want\n%+v", got, want)
	}
}

func TestValueRoundTrip(t *testing.T) {
	for _, v := range []ros.Value{
		{}, ros.NewValue(true), ros.NewValue[int64](-3), ros.NewValue(2.5), ros.NewValue("s"), ros.NewValue([]byte{1}),
		ros.NewValue([]bool{true}), ros.NewValue([]int64{1}), ros.NewValue([]float64{1}), ros.NewValue([]string{"a"}),
	} {
		m := v.Msg()
		if got := ros.ValueOf(&m); !reflect.DeepEqual(got, v) {
			t.Errorf("%v comes back as %v", v, got)
		}
	}
	if got := ros.NewValue([]float64{2, math.Inf(-1), 1e21}).String(); got != "[2.0, -.inf, 1e+21]" {
		t.Errorf("doubles are written %s", got)
	}
}
