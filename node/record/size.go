package record

import "reflect"

// sized is the number of entries of a list by which its length in the file is estimated.
const sized = 8

// Size estimates how long the file of the record is, bytes, without writing all of it: each of the lists that may be
// long counts as if its entries were as long as a few of them, evenly chosen, are on average.
func (m *Mission) Size() (int64, error) {
	rest := reflect.New(reflect.TypeFor[Mission]()).Elem()
	rest.Set(reflect.ValueOf(m).Elem())
	size := 0.0
	for _, name := range []string{"Observations", "Earlier", "Team", "Skipped", "Decisions", "Suggestions", "Hyper", "Recommended"} {
		list := rest.FieldByName(name)
		n := list.Len()
		if n <= sized {
			continue
		}
		part := reflect.MakeSlice(list.Type(), sized, sized)
		for i := range sized {
			part.Index(i).Set(list.Index(i * (n - 1) / (sized - 1)))
		}
		var e encoder
		if err := e.value(part, name, 1); err != nil {
			return 0, err
		}
		size += float64(e.buf.Len()) / sized * float64(n)
		list.SetZero()
	}
	var e encoder
	err := e.value(rest, "mission", 0)
	return int64(size) + int64(e.buf.Len()), err
}
