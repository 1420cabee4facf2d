package faults

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSome(t *testing.T) {
	from, to := 1, 20
	if s := os.Getenv("FAULTS_FROM"); s != "" {
		from, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("FAULTS_TO"); s != "" {
		to, _ = strconv.Atoi(s)
	}
	var only []int
	if s := os.Getenv("FAULTS_ONLY"); s != "" {
		only = []int{}
		for _, n := range strings.Split(s, ",") {
			k, _ := strconv.Atoi(n)
			only = append(only, k)
		}
	}
	var trace func(string)
	if os.Getenv("FAULTS_TRACE") != "" {
		trace = func(s string) { t.Log(s) }
	}
	for seed := from; seed <= to; seed++ {
		began := time.Now()
		r, err := Run(t.Context(), int64(seed), only, trace)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%d: %.2f s wall, %.0f s, %d faults, %d samples, %s", seed, time.Since(began).Seconds(), r.Simulated, r.Faults, r.Samples, r.End)
		if r.Violation != nil {
			tr := Draw(int64(seed))
			t.Errorf("%s\n   %s %v", r.Violation, tr, tr.Faults)
		}
	}
}
