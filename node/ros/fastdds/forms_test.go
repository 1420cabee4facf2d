// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"bytes"
	"testing"
)

// The bytes are those of rmw_cyclonedds' cdds_request_header_t, a client's number
// and an int64, in the order of the message.
func TestCycloneForm(t *testing.T) {
	little := []byte{0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x2a, 0, 0, 0, 0, 0, 0, 0, 'b', 'o', 'd', 'y'}
	big := []byte{0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0x2a, 'b', 'o', 'd', 'y'}
	bodies := map[uint8][]byte{formCycloneLittle: []byte("\x00\x01\x00\x00body"), formCycloneBig: []byte("\x00\x00\x00\x00body")}
	wires := map[uint8][]byte{formCycloneLittle: little, formCycloneBig: big}
	for request, in := range wires {
		cdr, client, sequence, form, ok := cutCyclone(bytes.Clone(in))
		if !ok || sequence != 42 || form != request || !bytes.Equal(cdr, bodies[request]) {
			t.Errorf("% x is %q, number %d, form %d, %v", in, cdr, sequence, form, ok)
		}
		// A reply may be of the other byte order.
		for reply, out := range wires {
			if got := appendCyclone(nil, bodies[reply], client, sequence, form); !bytes.Equal(got, out) {
				t.Errorf("the reply of form %d to form %d is % x, want % x", reply, request, got, out)
			}
		}
		for n := 2; n < headerSize+identitySize; n++ {
			if _, _, _, _, ok := cutCyclone(bytes.Clone(in[:n])); ok {
				t.Errorf("%d bytes are taken for a request", n)
			}
		}
	}
	if _, _, _, _, ok := cutCyclone(nil); ok {
		t.Error("nothing is taken for a request")
	}
}

func TestUserField(t *testing.T) {
	if got := userField("enclave=/;typehash=RIHS01_ab;x", "typehash"); got != "RIHS01_ab" {
		t.Errorf("the type hash is %q", got)
	}
}
