// Package must has what almost every test needs.
package must

// Test is a test, a benchmark or a property.
type Test interface {
	Helper()
	Fatal(args ...any)
}

// OK ends the test if there is an error.
func OK(t Test, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
