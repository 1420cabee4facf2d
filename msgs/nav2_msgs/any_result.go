// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package nav2_msgs

import "ugp_explorer/msgs/cdr"

// AnyNavigateToPoseResult is the result of NavigateToPose as each distribution has it:
//
//	Humble         std_msgs/Empty result
//	Iron           uint16 error_code
//	Jazzy, Kilted  uint16 error_code, string error_msg
//
// What a distribution does not have is zero. So is Iron's code: rmw_fastrtps leaves
// whatever there was behind Humble's byte, and of the same length.
type AnyNavigateToPoseResult struct {
	ErrorCode uint16 // 0: none
	ErrorMsg  string
}

// TypeName returns "nav2_msgs/action/NavigateToPose_Result".
func (*AnyNavigateToPoseResult) TypeName() string { return (*NavigateToPoseResult)(nil).TypeName() }

// DecodeCDR reads the result, which is the end of its message.
func (m *AnyNavigateToPoseResult) DecodeCDR(r *cdr.Reader) {
	*m = AnyNavigateToPoseResult{}
	short := *r
	short.Uint16()
	if !short.More(4) {
		r.Rest()
		return
	}
	m.ErrorCode = r.Uint16()
	r.String(&m.ErrorMsg, cdr.Unbounded)
}
