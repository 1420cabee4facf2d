//go:build fastdds

package fastdds_test

import (
	"fmt"
	"testing"

	"ugp_explorer/sim/rig/securitytest"
)

// What security costs two processes: the kinds of protection against none, in turn. SIGN and
// ENCRYPT are for topics and discovery, and ENCRYPT is what ros2 security has; every datagram
// is signed beside. The metrics are how many times as long as without security: the medians of
// an Odometry's round trips, bursts of maps of a size, and the processor time of both processes
// from start to end. An operation is a round with new processes.
func BenchmarkSecurity(b *testing.B) {
	const secureDomain = 100 // apart from the plain one
	for _, kind := range []string{"SIGN", "ENCRYPT"} {
		b.Run(kind, func(b *testing.B) {
			k := securitytest.New(b, domain()+secureDomain)
			k.Govern(kind)
			k.Enclave(securitytest.Everything("/bench"))
			size := len(odometry().AppendCDR(nil))
			sizes := []int{364, 64 << 10, 2 << 20}
			var p50, used [2][]float64
			var bursts [2][3][]float64
			for b.Loop() {
				pairs := [2]*pair{goPair(b, false), goPairIn(b, domain()+secureDomain, false, append(k.Environment("Enforce"), enclaveOf+"=/bench")...)}
				var trips [2][]float64
				for _, p := range pairs {
					p.trips(size, turnTrips) // the other's publisher may be matched later than ours
				}
				for range turns {
					for i, p := range pairs {
						trips[i] = append(trips[i], p.trips(size, turnTrips)...)
						for s, size := range sizes {
							bursts[i][s] = append(bursts[i][s], p.stream(size, min(500, streamSize/4/size)))
						}
					}
				}
				for i, p := range pairs {
					p.stop()
					p50[i] = append(p50[i], percentile(trips[i], 0.5))
					used[i] = append(used[i], p.used())
				}
			}
			b.ReportMetric(average(p50[1])/average(p50[0]), "trip/plain")
			b.ReportMetric(average(p50[0])/1e3, "µs-trip-plain")
			b.ReportMetric(average(used[1])/average(used[0]), "cpu/plain")
			for s, size := range sizes {
				b.ReportMetric(percentile(bursts[1][s], 0.5)/percentile(bursts[0][s], 0.5), fmt.Sprint("burst-", size, "/plain"))
			}
		})
	}
}
