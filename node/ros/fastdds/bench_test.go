//go:build fastdds

package fastdds_test

import (
	"testing"

	"ugp_explorer/node/ros"
)

// Messages through the library from one participant to another of this process,
// each taken before the next: what publishing and taking cost.
func BenchmarkPublishTake(b *testing.B) {
	for name, size := range map[string]int{"100B": 100, "2MB": 2 << 20} {
		b.Run(name, func(b *testing.B) {
			w, err := join(b).NewWriter(topic("/a", "/t", ros.DefaultQoS()), nothing)
			must(b, err)
			l, ready := listener()
			r, err := join(b).NewReader(topic("/b", "/t", ros.DefaultQoS()), l)
			must(b, err)
			eventually(b, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
			data, take := make([]byte, size), func([]byte, ros.MessageInfo) {}
			data[1] = 1
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				must(b, w.Publish(data, 1))
				for r.Take(take) < 0 {
					<-ready
				}
			}
		})
	}
}

// Small messages from one participant to another of this process without waiting
// for each, keep-all, every one delivered. With a profile that turns
// intraprocess_delivery off, over UDP.
func BenchmarkStreamInProcess(b *testing.B) {
	q := ros.QoS{History: ros.KeepAll}
	w, err := join(b).NewWriter(topic("/a", "/t", q), nothing)
	must(b, err)
	l, ready := listener()
	r, err := join(b).NewReader(topic("/b", "/t", q), l)
	must(b, err)
	eventually(b, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	data, taken := make([]byte, 100), 0
	data[1] = 1
	take := func([]byte, ros.MessageInfo) { taken++ }
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	sent := 0
	for b.Loop() {
		must(b, w.Publish(data, 1))
		sent++
		for r.Take(take) > 0 {
		}
	}
	for taken < sent {
		if r.Take(take) < 0 {
			<-ready
		}
	}
	if n := r.Dropped(); n != 0 {
		b.Errorf("%d messages were dropped", n)
	}
}

// Publishing a message and taking it, from one participant to another, allocate
// nothing in Go.
func TestPublishTakeAllocatesNothing(t *testing.T) {
	w, err := join(t).NewWriter(topic("/a", "/t", ros.DefaultQoS()), nothing)
	must(t, err)
	l, ready := listener()
	r, err := join(t).NewReader(topic("/b", "/t", ros.DefaultQoS()), l)
	must(t, err)
	eventually(t, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	data, taken := make([]byte, 1000), 0
	data[1] = 1
	take := func(cdr []byte, _ ros.MessageInfo) {
		if len(cdr) == len(data) {
			taken++
		}
	}
	const runs = 1000
	if n := testing.AllocsPerRun(runs, func() {
		must(t, w.Publish(data, 1))
		for r.Take(take) < 0 {
			<-ready
		}
	}); n != 0 {
		t.Errorf("a message allocates %v times, want 0", n)
	}
	if taken != runs+1 {
		t.Errorf("%d messages were taken, want %d", taken, runs+1)
	}
}
