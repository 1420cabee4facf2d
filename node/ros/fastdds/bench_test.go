//go:build fastdds

package fastdds_test

import (
	"slices"
	"testing"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ros"
)

// An Odometry to another process and back, with both nodes' executors. The
// metrics are the round trip's median and 99th percentile.
func BenchmarkRoundTrip(b *testing.B) {
	p := newParent(b)
	other := start(b, time.Minute)
	ping, err := ros.Advertise[nav_msgs.Odometry](p.n, "ping", ros.DefaultQoS())
	must(b, err)
	seen := 0
	pong, err := ros.Subscribe(p.n, "pong", ros.DefaultQoS(), func(*nav_msgs.Odometry, ros.MessageInfo) { seen++ })
	must(b, err)
	p.wait("matches", func() bool { return ping.Matched() == 1 && pong.Matched() == 1 })
	var m nav_msgs.Odometry
	m.Header.FrameID, m.ChildFrameID = "odom", "base_link"
	round := func() {
		want := seen + 1
		must(b, ping.Publish(&m))
		must(b, p.ex.Run(b.Context(), func() bool { return seen == want }))
	}
	round() // the child's own publisher may be matched later than ours
	b.ReportAllocs()
	took := make([]float64, 0, b.N)
	for b.Loop() {
		t0 := time.Now()
		round()
		took = append(took, float64(time.Since(t0))/1e3)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "µs-median")
	b.ReportMetric(took[len(took)*99/100], "µs-p99")
	other.stop(b)
}

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

// A map of 2 MB to another process over UDP and back: the bytes of both ways.
func BenchmarkLargeRoundTrip(b *testing.B) {
	p := newParent(b)
	other := start(b, time.Minute)
	grid, err := ros.Advertise[nav_msgs.OccupancyGrid](p.n, "map", ros.Latched())
	must(b, err)
	seen := 0
	back, err := ros.Subscribe(p.n, "back", ros.Latched(), func(*nav_msgs.OccupancyGrid, ros.MessageInfo) { seen++ })
	must(b, err)
	p.wait("matches", func() bool { return grid.Matched() == 1 && back.Matched() == 1 })
	sent := nav_msgs.OccupancyGrid{Data: make([]int8, 2<<20)}
	b.SetBytes(2 * 2 << 20)
	for b.Loop() {
		want := seen + 1
		must(b, grid.Publish(&sent))
		must(b, p.ex.Run(b.Context(), func() bool { return seen >= want }))
	}
	other.stop(b)
}

// Small messages from one participant to another of this process without waiting
// for each, keep-all, every one delivered. With a profile that turns
// intraprocess_delivery off, over UDP.
func BenchmarkStream(b *testing.B) {
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
