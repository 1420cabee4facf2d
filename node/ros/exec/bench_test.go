package exec_test

import (
	"context"
	"testing"
	"time"

	"ugp_explorer/node/ros/exec"
)

func BenchmarkSimulatedEvents(b *testing.B) {
	for _, timers := range []int{1, 10, 100} {
		b.Run(map[int]string{1: "timers=1", 10: "timers=10", 100: "timers=100"}[timers], func(b *testing.B) {
			ex := exec.NewSimulated(0)
			ticks := 0
			for i := range timers {
				ex.Every(time.Duration(1000+i), func() { ticks++ })
			}
			b.ReportAllocs()
			b.ResetTimer()
			if err := ex.Run(context.Background(), func() bool { return ticks >= b.N }); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkRealTimePost(b *testing.B) {
	ex, err := exec.NewRealTime(exec.DefaultRealTimeConfig())
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	var again func()
	again = func() {
		if n++; n < b.N {
			ex.Post(again)
		}
	}
	ex.Post(again)
	b.ReportAllocs()
	b.ResetTimer()
	if err := ex.Run(context.Background(), func() bool { return n >= b.N }); err != nil {
		b.Fatal(err)
	}
}
