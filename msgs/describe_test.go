package msgs

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	tdi "ugp_explorer/msgs/type_description_interfaces"
)

// hashOf returns the hash that REP-2016 defines for a description: the reader's side, written from the REP.
func hashOf(d tdi.TypeDescription) string {
	one := func(d tdi.IndividualTypeDescription) string {
		fields := make([]string, len(d.Fields))
		for i, f := range d.Fields {
			fields[i] = fmt.Sprintf(`{"name": %q, "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": %q}}`,
				f.Name, f.Type.TypeID, f.Type.Capacity, f.Type.StringCapacity, f.Type.NestedTypeName)
		}
		return fmt.Sprintf(`{"type_name": %q, "fields": [%s]}`, d.TypeName_, strings.Join(fields, ", "))
	}
	refs := make([]string, len(d.ReferencedTypeDescriptions))
	for i, r := range d.ReferencedTypeDescriptions {
		refs[i] = one(r)
	}
	text := fmt.Sprintf(`{"type_description": %s, "referenced_type_descriptions": [%s]}`, one(d.TypeDescription), strings.Join(refs, ", "))
	return fmt.Sprintf("RIHS01_%x", sha256.Sum256([]byte(text)))
}

// Whoever gets a description can check it by the hash, for every message, every half of a service and every service.
func TestDescriptionsGiveTheHash(t *testing.T) {
	names := Names()
	for _, name := range Names() {
		if service, ok := strings.CutSuffix(name, "_Request"); ok {
			names = append(names, service)
		}
	}
	for _, name := range names {
		want, known := TypeHash(name)
		d, sources, err := Describe(name)
		if err != nil || !known {
			t.Errorf("%s: known %v, %v", name, known, err)
			continue
		}
		if got := hashOf(d); got != want {
			t.Errorf("the description of %s gives %s, want %s", name, got, want)
		}
		if len(sources) != 1+len(d.ReferencedTypeDescriptions) {
			t.Errorf("%s: %d sources and %d types", name, len(sources), 1+len(d.ReferencedTypeDescriptions))
		}
	}
	if _, _, err := Describe("std_msgs/msg/NoSuch"); err == nil {
		t.Error("an unknown type is described")
	}
	if _, known := TypeHash("std_msgs/msg/NoSuch"); known {
		t.Error("an unknown type has a hash")
	}
}

func TestDescriptionOfAService(t *testing.T) {
	d, sources, err := Describe("type_description_interfaces/srv/GetTypeDescription")
	if err != nil {
		t.Fatal(err)
	}
	var encodings []string
	for _, s := range sources {
		short := s.TypeName_[strings.LastIndex(s.TypeName_, "/")+1:]
		encodings = append(encodings, short+" "+s.Encoding)
		if (s.RawFileContents == "") != (s.Encoding == "implicit") {
			t.Errorf("the source of %s is %q", s.TypeName_, s.RawFileContents)
		}
	}
	// The order is that of the names: "_" comes after capitals, packages with b before those with s and t.
	want := []string{
		"GetTypeDescription srv", "Time msg", "ServiceEventInfo msg", "Field msg", "FieldType msg", "IndividualTypeDescription msg", "KeyValue msg",
		"TypeDescription msg", "TypeSource msg", "GetTypeDescription_Event implicit", "GetTypeDescription_Request implicit", "GetTypeDescription_Response implicit",
	}
	if diff := cmp.Diff(want, encodings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if text := sources[0].RawFileContents; !strings.Contains(text, "bool include_type_sources true\n---\nbool successful\n") {
		t.Errorf("the source of the service is %q", text)
	}
	request := d.ReferencedTypeDescriptions[slices.IndexFunc(d.ReferencedTypeDescriptions, func(i tdi.IndividualTypeDescription) bool {
		return strings.HasSuffix(i.TypeName_, "_Request")
	})]
	if f := request.Fields[2]; f.Name != "include_type_sources" || f.DefaultValue != "True" {
		t.Errorf("the third field of the request is %+v", f)
	}
	q, _, err := Describe("geometry_msgs/msg/Quaternion")
	if err != nil {
		t.Fatal(err)
	}
	if f := q.TypeDescription.Fields[3]; f.DefaultValue != "1.0" || f.Type.TypeID != 11 {
		t.Errorf("w of a quaternion is %+v", f)
	}
}
