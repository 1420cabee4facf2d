package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	root := os.DirFS("../..")
	want, err := Generate(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := generated(root)
	if err != nil {
		t.Fatal(err)
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: no definition gives this file", name)
		}
	}
	for name, text := range want {
		if d := cmp.Diff(text, got[name]); d != "" {
			t.Errorf("%s is out of date, run go generate ./msgs (-want +got)\n%s", name, d)
		}
	}
}

func TestRunWritesAndRemoves(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(root+"/"+name[:strings.LastIndex(name, "/")], 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("msg/Own.msg", "float64 x 2\n")
	write("old_msgs/gone_gen.go", "package old_msgs\n")
	write("old_msgs/kept.go", "package old_msgs\n")
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "/ugp_explorer_msgs/own_gen.go")
	if err != nil || !strings.Contains(string(text), "type Own struct {\n\tX float64\n}") {
		t.Errorf("%v, wrote\n%s", err, text)
	}
	if _, err := os.Stat(root + "/old_msgs/gone_gen.go"); !os.IsNotExist(err) {
		t.Error("a file without a definition stayed")
	}
	if _, err := os.Stat(root + "/old_msgs/kept.go"); err != nil {
		t.Error(err)
	}
}

// Every kind of field, encoded and decoded, in one file.
func TestCodecOfEveryKind(t *testing.T) {
	files, err := Generate(fstest.MapFS{
		"definitions/p/msg/In.msg": {Data: []byte("string<=3 s 'a\"b'\nuint8[2] pair [1, 2]\n")},
		"definitions/p/msg/All.msg": {Data: []byte("bool b\nbool[2] bs\nbool[] bq\nbyte o\nchar[<=3] c\nstring[2] sa\nstring<=5[] sq\nfloat32[4] fa\nint64[] iq\n" +
			"In one\nIn[2] two\nIn[] many\nIn[<=4] few\nint8 definition\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := files["p/all_gen.go"]
	for _, want := range []string{
		"	w.Bool(m.B)\n", "	m.B = r.Bool()\n",
		"	cdr.WriteBoolArray(w, m.Bs[:])\n", "	cdr.ReadBoolArray(r, m.Bs[:])\n",
		"	cdr.WriteBools(w, m.Bq, cdr.Unbounded)\n", "	m.Bq = cdr.ReadBools(r, m.Bq, cdr.Unbounded)\n",
		"	w.Uint8(m.O)\n", "	m.O = r.Uint8()\n",
		"	cdr.WriteSequence(w, m.C, 3)\n", "	m.C = cdr.ReadSequence(r, m.C, 3)\n",
		"	cdr.WriteStringArray(w, m.Sa[:], cdr.Unbounded)\n", "	cdr.ReadStringArray(r, m.Sa[:], cdr.Unbounded)\n",
		"	cdr.WriteStrings(w, m.Sq, cdr.Unbounded, 5)\n", "	m.Sq = cdr.ReadStrings(r, m.Sq, cdr.Unbounded, 5)\n",
		"	cdr.WriteArray(w, m.Fa[:])\n", "	cdr.ReadArray(r, m.Fa[:])\n",
		"	cdr.WriteSequence(w, m.Iq, cdr.Unbounded)\n", "	m.Iq = cdr.ReadSequence(r, m.Iq, cdr.Unbounded)\n",
		"	m.One.MarshalCDR(w)\n", "	m.One.DecodeCDR(r)\n",
		"	for i := range m.Two {\n		m.Two[i].MarshalCDR(w)\n	}\n", "	for i := range m.Two {\n		m.Two[i].DecodeCDR(r)\n	}\n",
		"	w.Length(len(m.Many), cdr.Unbounded)\n	for i := range m.Many {\n", "	m.Many = cdr.Resize(m.Many, r.Length(6, cdr.Unbounded))\n",
		"	w.Length(len(m.Few), 4)\n", "	m.Few = cdr.Resize(m.Few, r.Length(6, 4))\n",
		"	Definition_ int8\n", "	m.Definition_ = r.Int8()\n", // not the method's name
		"	m.One = NewIn()\n", "	for i := range m.Two {\n		m.Two[i] = NewIn()\n	}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no\n%s in\n%s", want, text)
		}
	}
	for _, want := range []string{"	m.S = \"a\\\"b\"\n", "	m.Pair = [2]uint8{1, 2}\n", "	r.String(&m.S, 3)\n"} {
		if !strings.Contains(files["p/in_gen.go"], want) {
			t.Errorf("there is no\n%s in\n%s", want, files["p/in_gen.go"])
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	for want, fs := range map[string]fstest.MapFS{
		"no definition of p/msg/B":           {"definitions/p/msg/A.msg": {Data: []byte("B b\n")}},
		"p/msg/A:1: field name":              {"definitions/p/msg/A.msg": {Data: []byte("int8 B\n")}},
		"service_msgs/msg/ServiceEventInfo":  {"definitions/p/srv/A.srv": {Data: []byte("---\n")}},
		"is not of the form package/msg/Typ": {"definitions/p/idl/A.idl": {Data: []byte("")}},
		"unique_identifier_msgs/msg/UUID":    {"definitions/p/action/A.action": {Data: []byte("---\n---\n")}},
	} {
		if _, err := Generate(fs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"frame_id": "FrameID", "x": "X", "header": "Header", "LINE_STRIP": "LineStrip", "OK": "OK", "FLOAT32": "Float32", "id": "ID", "is_bigendian": "IsBigendian",
	} {
		if got := camel(in); got != want {
			t.Errorf("camel %s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"NavSatFix": "nav_sat_fix", "TFMessage": "tf_message", "PointCloud2": "point_cloud2", "UUID": "uuid", "ColorRGBA": "color_rgba"} {
		if got := snake(in); got != want {
			t.Errorf("snake %s: %s, want %s", in, got, want)
		}
	}
}
