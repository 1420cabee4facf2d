package idl

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseMessage(t *testing.T) {
	const text = `# A thing.
# With two lines.

# Above a constant.
int32 ANSWER = 42   # beside it
string NAME="a # b" # a # in quotes is no comment
string BARE=hello
bool ON=True
float64 TINY=-1e-3

# Forgotten, since an empty line follows.

# The first,
# above.
float64 x 1.5       # m
Other other
pkg/Third third
pkg/msg/Third fourth
byte[4] raw
char c 65
string<=8 short "it's"
string<=8[<=3] names ['a', "b,c"]
uint8[] data [1, 2]
float32[3] v [0, 0.5, -1]
bool flag false
`
	want := &Message{
		Name: "p_q/msg/M", Text: text, Comment: []string{"A thing.", "With two lines."},
		Constants: []Constant{
			{Name: "ANSWER", Type: "int32", Value: "42", Above: []string{"Above a constant."}, Beside: "beside it"},
			{Name: "NAME", Type: "string", Value: "a # b", Beside: "a # in quotes is no comment"},
			{Name: "BARE", Type: "string", Value: "hello"},
			{Name: "ON", Type: "bool", Value: "true"},
			{Name: "TINY", Type: "float64", Value: "-1e-3"},
		},
		Fields: []Field{
			{Name: "x", Type: Type{Base: "float64"}, Default: "1.5", Above: []string{"The first,", "above."}, Beside: "m"},
			{Name: "other", Type: Type{Base: "p_q/msg/Other"}},
			{Name: "third", Type: Type{Base: "pkg/msg/Third"}},
			{Name: "fourth", Type: Type{Base: "pkg/msg/Third"}},
			{Name: "raw", Type: Type{Base: "byte", Kind: Array, Size: 4}},
			{Name: "c", Type: Type{Base: "char"}, Default: "65"},
			{Name: "short", Type: Type{Base: "string", StringBound: 8}, Default: `"it's"`},
			{Name: "names", Type: Type{Base: "string", StringBound: 8, Kind: Bounded, Size: 3}, Default: `['a', "b,c"]`},
			{Name: "data", Type: Type{Base: "uint8", Kind: Sequence}, Default: "[1, 2]"},
			{Name: "v", Type: Type{Base: "float32", Kind: Array, Size: 3}, Default: "[0, 0.5, -1]"},
			{Name: "flag", Type: Type{Base: "bool"}, Default: "false"},
		},
	}
	lib := NewLibrary()
	if err := lib.Add("p_q/msg/M", text); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, lib.Messages["p_q/msg/M"]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestParseService(t *testing.T) {
	lib := NewLibrary()
	if err := lib.Add("p/srv/Do", "# Does it.\nM what\n---\nbool done\n"); err != nil {
		t.Fatal(err)
	}
	want := &Service{
		Name: "p/srv/Do", Comment: []string{"Does it."},
		Request:  &Message{Name: "p/srv/Do_Request", Text: "# Does it.\nM what\n", Fields: []Field{{Name: "what", Type: Type{Base: "p/msg/M"}}}},
		Response: &Message{Name: "p/srv/Do_Response", Text: "bool done\n", Fields: []Field{{Name: "done", Type: Type{Base: "bool"}}}},
	}
	if d := cmp.Diff(want, lib.Services["p/srv/Do"]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if lib.Messages["p/srv/Do_Request"] != lib.Services["p/srv/Do"].Request {
		t.Error("the request is no message of the library")
	}
}

// What rosidl makes of an action, as its design has it (design.ros2.org/articles/actions.html).
func TestParseAction(t *testing.T) {
	lib := NewLibrary()
	if err := lib.Add("p/action/Do", "# Does it.\nM what\n---\nbool done\n---\nint8 part\n"); err != nil {
		t.Fatal(err)
	}
	field := func(name, typ string) Field { return Field{Name: name, Type: Type{Base: typ}} }
	id := field("goal_id", "unique_identifier_msgs/msg/UUID")
	a := lib.Actions["p/action/Do"]
	if d := cmp.Diff([]string{"Does it."}, a.Comment); d != "" {
		t.Errorf("comment (-want +got)\n%s", d)
	}
	for name, want := range map[string][]Field{
		"Goal":               {field("what", "p/msg/M")},
		"Result":             {field("done", "bool")},
		"Feedback":           {field("part", "int8")},
		"SendGoal_Request":   {id, field("goal", "p/action/Do_Goal")},
		"SendGoal_Response":  {field("accepted", "bool"), field("stamp", "builtin_interfaces/msg/Time")},
		"GetResult_Request":  {id},
		"GetResult_Response": {field("status", "int8"), field("result", "p/action/Do_Result")},
		"FeedbackMessage":    {id, field("feedback", "p/action/Do_Feedback")},
	} {
		m := lib.Messages["p/action/Do_"+name]
		if m == nil {
			t.Errorf("there is no message %s", name)
			continue
		}
		if d := cmp.Diff(want, m.Fields); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
	if s := lib.Services["p/action/Do_SendGoal"]; s != a.Services[0] || s.Request != lib.Messages["p/action/Do_SendGoal_Request"] {
		t.Error("the service that sends goals is not in the library")
	}
	const text = "int8 status\np/action/Do_Result result\n"
	if got := a.Services[1].Response.Text; got != text {
		t.Errorf("the response with the result is written %q, want %q", got, text)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"p/M", "", `"p/M" is not of the form`},
		{"p/idl/M", "", `not of the form`},
		{"P/msg/M", "", `not of the form`},
		{"p/msg/m", "", `not of the form`},
		{"p/msg/M", "int32 x\nint33 y\n", "p/msg/M:2: type \"int33\" is neither"},
		{"p/msg/M", "int32", "field name \"\""},
		{"p/msg/M", "int32 X\n", "field name \"X\""},
		{"p/msg/M", "int32 a__b\n", "field name \"a__b\""},
		{"p/msg/M", "int32 a_\n", "field name \"a_\""},
		{"p/msg/M", "int32 a\nint8 a\n", "a is defined twice"},
		{"p/msg/M", "int32 A=1\nint8 A=1\n", "A is defined twice"},
		{"p/msg/M", "wstring s\n", "wstring is not supported"},
		{"p/msg/M", "int8[0] a\n", "array size must be"},
		{"p/msg/M", "int8[<=] a\n", "no bound after <="},
		{"p/msg/M", "int8[3][2] a\n", "neither primitive"},
		{"p/msg/M", "string<=0 a\n", "string bound must be"},
		{"p/srv/S", "int8 a\n", "no line of ---"},
		{"p/srv/S", "---\n---\n", "p/srv/S:2: one line of --- too many, want 1"},
		{"p/action/A", "int8 a\n---\n", "p/action/A: no line of --- between result and feedback"},
		{"p/action/A", "---\n---\n---\n", "p/action/A:3: one line of --- too many, want 2"},
		{"p/action/A", "---\nint33 x\n---\n", `p/action/A_Result:1: type "int33"`},
	} {
		if err := NewLibrary().Add(c.name, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: got %v, want …%s…", c.name, c.text, err, c.want)
		}
	}
}

func TestDependencies(t *testing.T) {
	lib := NewLibrary()
	for name, text := range map[string]string{
		"p/msg/A": "C c\nB b\nC[] more", "p/msg/B": "D d\nD d2", "p/msg/C": "D d", "p/msg/D": "", "p/msg/E": "F f", "p/msg/F": "E[] e", "p/msg/G": "Missing m",
	} {
		if err := lib.Add(name, text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := lib.Dependencies("p/msg/A")
	if d := cmp.Diff([]string{"p/msg/B", "p/msg/D", "p/msg/C"}, got); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
	for name, want := range map[string]string{"p/msg/E": "contains itself", "p/msg/G": "p/msg/G: no definition of p/msg/Missing", "p/msg/H": "no definition of p/msg/H"} {
		if _, err := lib.Hash(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want …%s…", name, err, want)
		}
	}
	if err := lib.Check(); err == nil {
		t.Error("the library passed")
	}
	if err := lib.Add("p/msg/A", ""); err == nil || !strings.Contains(err.Error(), "defined twice") {
		t.Errorf("a second A: %v", err)
	}
}
