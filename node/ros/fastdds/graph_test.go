// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"encoding/binary"
	"testing"

	"ugp_explorer/node/ros"
)

// A participant may claim anything in its messages: nodes of thousands of participants that do
// not exist, of millions of endpoints, and with names that would forge lines of a log. What is
// remembered of that is bounded.
func TestClaimsAreBounded(t *testing.T) {
	tr := &Transport{graph: newGraph()}
	claim := func(who int, name string, endpoints int) {
		e := entities{namespace: "/", name: name, readers: make([]ros.GUID, endpoints)}
		for i := range e.readers {
			binary.LittleEndian.PutUint32(e.readers[i][:], uint32(i))
		}
		var guid ros.GUID
		binary.LittleEndian.PutUint32(guid[:], uint32(who+1))
		tr.take(&sample{data: appendNodeInfo(nil, guid, []entities{e}, gidIron)})
	}
	for who := range 2 * mostParticipants {
		claim(who, "n", 1)
	}
	if n := len(tr.graph.others); n != mostParticipants {
		t.Errorf("%d participants are remembered, want %d", n, mostParticipants)
	}
	claim(0, "n", 2*mostEndpoints)
	claim(1, "n\n[FATAL] forged", 1)
	most, forged := 0, 0
	for _, owners := range tr.graph.others {
		most = max(most, len(owners))
		for _, name := range owners {
			if name != "/n" {
				forged++
			}
		}
	}
	if most != mostEndpoints || forged > 0 {
		t.Errorf("%d endpoints of one participant are remembered, want %d; %d have forged names", most, mostEndpoints, forged)
	}
}
