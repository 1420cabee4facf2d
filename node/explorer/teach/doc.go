// Package teach records the outline of a field and its keep-outs on a robot that a person drives
// along them, see package planner/field/outline.
//
// A [Session] takes poses, the commands of a person and the edits of its closed rings. Everything
// that it takes is appended to a file beside the field's before it is answered, so that a
// recording goes on where it was after the program was started again. It moves nothing.
package teach
