package param

// What the tests of package param_test see of this one.

const (
	MostString   = mostString
	MostElements = mostElements
	MostAsked    = mostAsked
)

type Error = paramError
