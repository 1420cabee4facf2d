// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package nav2_msgs

import (
	"bytes"
	"testing"

	"ugp_explorer/msgs/cdr"
)

// The response of get_result, byte by byte after nav2_msgs/action/NavigateToPose.action of each branch of Nav2 and the rules of CDR: a status, then the result.
func TestResultOfEachDistribution(t *testing.T) {
	for _, c := range []struct {
		name string
		cdr  []byte
		want AnyNavigateToPoseResult
	}{
		{"Humble", []byte{0, 1, 0, 0, 4, 0}, AnyNavigateToPoseResult{}},
		{"Humble, padded", []byte{0, 1, 0, 0, 4, 0, 0, 0}, AnyNavigateToPoseResult{}},
		{"Humble, padded as rmw_fastrtps does", []byte{0, 1, 0, 0, 4, 0, 0x6d, 0x6c}, AnyNavigateToPoseResult{}},
		{"Humble, without its empty result", []byte{0, 1, 0, 0, 4}, AnyNavigateToPoseResult{}},
		{"Iron", []byte{0, 1, 0, 0, 4, 0, 203, 0}, AnyNavigateToPoseResult{}},
		{"Jazzy", []byte{0, 1, 0, 0, 4, 0, 0x29, 0x23, 3, 0, 0, 0, 'n', 'o', 0}, AnyNavigateToPoseResult{ErrorCode: 9001, ErrorMsg: "no"}},
		{"Jazzy, padded", []byte{0, 1, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, AnyNavigateToPoseResult{}},
		{"Jazzy, big endian", []byte{0, 0, 0, 0, 4, 0, 0x23, 0x29, 0, 0, 0, 3, 'n', 'o', 0}, AnyNavigateToPoseResult{ErrorCode: 9001, ErrorMsg: "no"}},
	} {
		got := AnyNavigateToPoseResult{ErrorCode: 7, ErrorMsg: "of the message before"}
		r := cdr.NewReader(c.cdr)
		status := r.Int8()
		got.DecodeCDR(&r)
		if err := r.Finish(got.TypeName()); err != nil || status != 4 || got != c.want {
			t.Errorf("%s: status %d, %+v, %v; want %+v", c.name, status, got, err, c.want)
		}
	}
	r := cdr.NewReader([]byte{0, 1, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 'n', 'o', 0})
	r.Int8()
	new(AnyNavigateToPoseResult).DecodeCDR(&r)
	if err := r.Finish("T"); err == nil {
		t.Error("a string of 9 bytes of which 3 are there was taken")
	}
}

// Humble's own messages, laid out by hand.
func TestLayout(t *testing.T) {
	id := make([]byte, 16)
	for i := range id {
		id[i] = byte(i + 1)
	}
	var send NavigateToPoseSendGoalRequest
	copy(send.GoalID.Uuid[:], id)
	send.Goal.Pose.Header.FrameID = "map"
	send.Goal.Pose.Pose.Position.X = 1.5
	want := append([]byte{0, 1, 0, 0}, id...)
	want = append(want, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 'm', 'a', 'p', 0)
	want = append(want, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f)
	want = append(want, make([]byte, 6*8)...)
	want = append(want, 1, 0, 0, 0, 0)
	if got := send.AppendCDR(nil); !bytes.Equal(got, want) {
		t.Errorf("goal\n%x, want\n%x", got, want)
	}
	result := NavigateToPoseGetResultResponse{Status: 6}
	if got := result.AppendCDR(nil); !bytes.Equal(got, []byte{0, 1, 0, 0, 6, 0}) {
		t.Errorf("result %x", got)
	}
	accepted := NavigateToPoseSendGoalResponse{Accepted: true}
	accepted.Stamp.Sec = 2
	if got := accepted.AppendCDR(nil); !bytes.Equal(got, []byte{0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("acceptance %x", got)
	}
}
