// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros"
)

// Messages through the library from one participant to another of this process,
// each taken before the next: what publishing and taking cost. They go over UDP. When the library
// delivered them by calls, which deliver_over_the_wire ended, 100 bytes took half of the processor time.
func BenchmarkPublishTake(b *testing.B) {
	for name, size := range map[string]int{"100B": 100, "2MB": 2 << 20} {
		b.Run(name, func(b *testing.B) {
			w, err := join(b).Open(ros.PublisherEnd, topic("/a", "/t", ros.DefaultQoS()), nothing)
			must.OK(b, err)
			l, ready := listener()
			r, err := join(b).Open(ros.SubscriptionEnd, topic("/b", "/t", ros.DefaultQoS()), l)
			must.OK(b, err)
			must.Come(b, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
			data, take := make([]byte, size), func(ros.Message) {}
			data[1] = 1
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				must.OK(b, publish(w, data, 1))
				for r.Take(take) < 0 {
					<-ready
				}
			}
		})
	}
}
