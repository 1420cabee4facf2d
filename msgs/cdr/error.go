package cdr

import "fmt"

// Problem is the kind of thing that is wrong with a message.
type Problem int

// What a Reader refuses.
const (
	Short            Problem = iota // more bytes are needed than are left
	OverBound                       // a sequence or string is longer than its type allows
	Leftover                        // more than padding follows the last field
	NoNUL                           // a string does not end with NUL
	BadBool                         // a bool is neither 0 nor 1
	BadEncapsulation                // the header names another encoding than classic CDR
)

// Error says where a message is malformed and how.
type Error struct {
	Type    string // the message's ROS type
	Offset  int    // in bytes from the beginning, the 4-byte header counted
	What    string // what was being read
	Problem Problem
	Want    uint64 // the bytes (padding before them included) or elements asked for, or the offending value
	Left    int    // the bytes that are left, or the bound
	Size    int    // the least size of an element, in bytes, where elements are counted
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("cdr: %s: at byte %d: %s", e.Type, e.Offset, e.detail())
}

func (e *Error) detail() string {
	switch e.Problem {
	case OverBound:
		return fmt.Sprintf("%s of %d, its type allows %d", e.What, e.Want, e.Left)
	case Leftover:
		return fmt.Sprintf("%d bytes left over, at most %d bytes of padding are allowed", e.Left, e.Want)
	case NoNUL:
		return fmt.Sprintf("string ends with byte %#02x, not with NUL", e.Want)
	case BadBool:
		return fmt.Sprintf("bool is %d, neither 0 nor 1", e.Want)
	case BadEncapsulation:
		return fmt.Sprintf("encapsulation is %#04x, only CDR (0x0000 big endian, 0x0001 little endian) is known", e.Want)
	}
	if e.Size > 0 {
		return fmt.Sprintf("%s of %d elements of at least %d bytes each, %d bytes are left", e.What, e.Want, e.Size, e.Left)
	}
	return fmt.Sprintf("%s needs %d bytes with its padding, %d are left", e.What, e.Want, e.Left)
}
