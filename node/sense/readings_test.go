package sense

import (
	"slices"
	"testing"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// Each type has a name of its own, by which it is found.
func TestNamesAndTypes(t *testing.T) {
	types, names := ReadingTypes(), ReadingNames()
	if len(types) != len(names) || len(types) < 7 {
		t.Fatalf("types %v, names %v", types, names)
	}
	var found []string
	for _, typ := range types {
		name, ok := ReadingName(typ)
		if !ok {
			t.Errorf("%s has no name", typ)
		}
		found = append(found, name)
	}
	slices.Sort(found)
	if !slices.Equal(found, names) {
		t.Errorf("the types have the names %v, want %v", found, names)
	}
	if name, ok := ReadingName("std_msgs/msg/String"); ok {
		t.Errorf("a text is a reading, %q", name)
	}
}

func TestDecode(t *testing.T) {
	field := &ugp_explorer_msgs.FieldReading{Value: 2.5, Variance: 0.25}
	field.Header.Stamp.Sec = 3
	header := field.Header
	for _, c := range []struct {
		message interface {
			TypeName() string
			AppendCDR([]byte) []byte
		}
		want localization.Reading
	}{
		{field, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.Temperature{Header: header, Temperature: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.RelativeHumidity{Header: header, RelativeHumidity: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.FluidPressure{Header: header, FluidPressure: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.Illuminance{Header: header, Illuminance: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&std_msgs.Float32{Data: 7}, localization.Reading{Stamp: 8.5e9, Value: 7}},
		{&std_msgs.Float64{Data: 7}, localization.Reading{Stamp: 8.5e9, Value: 7}},
	} {
		got, err := DecodeReading(c.message.TypeName(), c.message.AppendCDR(nil))
		if got = dated(got, 10e9, 1.5); err != nil || got != c.want {
			t.Errorf("%s is %+v, %v, want %+v", c.message.TypeName(), got, err, c.want)
		}
	}
	if _, err := DecodeReading("std_msgs/msg/String", nil); err == nil {
		t.Error("a text was decoded")
	}
}
