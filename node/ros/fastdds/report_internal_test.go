// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ugp_explorer/node/ros/security"
)

// A participant that proves its identity late, or after it was refused, is reported as kept out and
// then as let in; one that is in time, or goes, is not reported.
func TestKeptOutAndLetIn(t *testing.T) {
	const early, late = proofPatience - time.Second, proofPatience + time.Second
	kept, refused, in := "a participant is kept out: it has not proved", "a participant is kept out: DDS Security does not accept", "a participant that was kept out is let in"
	accept, refuse, leave := (*reporter).accepted, (*reporter).refused, (*reporter).left
	for _, c := range []struct {
		name  string
		after time.Duration
		then  []func(*reporter, prefix)
		want  []string
	}{
		{"in time", early, []func(*reporter, prefix){accept}, nil},
		{"late", late, []func(*reporter, prefix){accept, accept}, []string{kept, in}},
		{"never", late, nil, []string{kept}},
		{"refused", early, []func(*reporter, prefix){refuse}, []string{refused}},
		{"refused, accepted", early, []func(*reporter, prefix){refuse, accept}, []string{refused, in}},
		{"gone in time", early, []func(*reporter, prefix){leave}, nil},
		{"gone", late, []func(*reporter, prefix){leave, accept}, []string{kept}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr := &Transport{secured: &security.Enclave{}}
				var log []string
				tr.OnReport(func(message string, _ ...any) { log = append(log, message) })
				other := event{guid: [16]byte{1}, secured: 1}
				tr.met(&other)
				time.Sleep(c.after)
				synctest.Wait()
				for _, f := range c.then {
					f(&tr.reports, prefixOf(other.guid))
				}
				time.Sleep(2 * proofPatience)
				synctest.Wait()
				if !slices.EqualFunc(log, c.want, strings.HasPrefix) {
					t.Errorf("it reports %q, want %q", log, c.want)
				}
			})
		})
	}
}
