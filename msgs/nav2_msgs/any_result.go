package nav2_msgs

import "ugp_explorer/msgs/cdr"

// AnyNavigateToPoseResult is the result of NavigateToPose as each distribution has it:
//
//	Humble         std_msgs/Empty result
//	Iron           uint16 error_code
//	Jazzy, Kilted  uint16 error_code, string error_msg
//
// What a distribution does not have is zero.
type AnyNavigateToPoseResult struct {
	ErrorCode uint16 // 0: none
	ErrorMsg  string
}

// TypeName returns "nav2_msgs/action/NavigateToPose_Result".
func (*AnyNavigateToPoseResult) TypeName() string { return (*NavigateToPoseResult)(nil).TypeName() }

// DecodeCDR reads the result, which is the end of its message. Humble's is one byte; with padding behind it, which is zero, it reads as no error.
func (m *AnyNavigateToPoseResult) DecodeCDR(r *cdr.Reader) {
	*m = AnyNavigateToPoseResult{}
	if !r.More(2) {
		r.Empty()
		return
	}
	m.ErrorCode = r.Uint16()
	if r.More(4) {
		r.String(&m.ErrorMsg, cdr.Unbounded)
	}
}
