//go:build fastdds

package fastdds_test

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"testing"
)

// In each round all pairs of processes are started anew, since where the system
// puts their threads decides by a factor of two; then they are asked in turn.
const (
	turns      = 10  // of each pair, in a round
	turnTrips  = 100 // in a turn
	streamSize = 32 << 20
)

// percentile returns the value below which the fraction q of list is.
func percentile(list []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*q))]
}

func average(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

// rounds is what is measured of one pair, ns.
type rounds struct{ all, p50, p99 []float64 }

func (r *rounds) add(trips []float64) {
	r.all = append(r.all, trips...)
	r.p50, r.p99 = append(r.p50, percentile(trips, 0.5)), append(r.p99, percentile(trips, 0.99))
}

func (r *rounds) report(b *testing.B, name string) {
	b.ReportMetric(percentile(r.all, 0.5)/1e3, "µs-p50"+name)
	b.ReportMetric(percentile(r.all, 0.99)/1e3, "µs-p99"+name)
}

// An Odometry to another process and back, through both nodes' executors and
// codecs, and the same bytes between two processes of plain C++: once with answers
// from the library's own thread, and once with answers from a thread to which that
// hands over, as an executor of ROS 2 does. An operation is a round. The metrics
// are the medians and 99th percentiles of all round trips, and how many times as
// long as in C++ they are: the ratio of the averages of the rounds' medians, and of
// their 99th percentiles. Pinned, each process has a processor of its own.
func BenchmarkRoundTrip(b *testing.B) {
	program := compile(b)
	size := len(odometry().AppendCDR(nil))
	for _, c := range []struct {
		name   string
		pinned bool
	}{{"free", false}, {"pinned", true}} {
		b.Run(c.name, func(b *testing.B) {
			if _, err := exec.LookPath("taskset"); c.pinned && (err != nil || runtime.NumCPU() < 2) {
				b.Skip("taskset and two processors are needed")
			}
			var measured [3]rounds
			for b.Loop() {
				pairs := [3]*pair{goPair(b, c.pinned), cppPair(b, c.pinned, program, "pong"), cppPair(b, c.pinned, program, "handing")}
				var trips [3][]float64
				for _, p := range pairs {
					p.trips(size, turnTrips) // the other's publisher may be matched later than ours
				}
				for range turns {
					for i, p := range pairs {
						trips[i] = append(trips[i], p.trips(size, turnTrips)...)
					}
				}
				for i, p := range pairs {
					p.stop()
					measured[i].add(trips[i])
				}
			}
			ours := &measured[0]
			ours.report(b, "")
			for i, name := range []string{"C++", "C++-handing"} {
				cpp := &measured[i+1]
				cpp.report(b, "-"+name)
				b.ReportMetric(average(ours.p50)/average(cpp.p50), "p50/"+name)
				b.ReportMetric(average(ours.p99)/average(cpp.p99), "p99/"+name)
			}
		})
	}
}

// Maps of many sizes to another process, one after the other without waiting,
// keep-all, until the other says that it has heard them all, and as many bytes
// between two processes of plain C++. An operation is a burst of each.
func BenchmarkStream(b *testing.B) {
	ours, cpp := goPair(b, false), cppPair(b, false, compile(b), "pong")
	for _, size := range []int{364, 4 << 10, 64 << 10, 1 << 20, 2 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			n := min(2000, streamSize/size)
			ours.stream(size, n)
			cpp.stream(size, n)
			var took, tookCpp []float64
			for b.Loop() {
				took, tookCpp = append(took, ours.stream(size, n)), append(tookCpp, cpp.stream(size, n))
			}
			speed, speedCpp := float64(n)/percentile(took, 0.5), float64(n)/percentile(tookCpp, 0.5) // messages a ns
			b.ReportMetric(speed*1e9, "msgs/s")
			b.ReportMetric(speedCpp*1e9, "msgs/s-C++")
			b.ReportMetric(speed*1e3*float64(size), "MB/s")
			b.ReportMetric(speedCpp/speed, "ratio")
		})
	}
	ours.stop()
	cpp.stop()
}
