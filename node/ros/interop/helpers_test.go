// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package interop

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros/fastdds"
)

// patience is how long a test waits for what must happen.
const patience = 120 * time.Second

// domain is one that other runs of the tests on this machine hardly have, and other packages never.
func domain() int { return 21 + os.Getpid()%20 }

// needCyclone skips the test where the C programs cannot be built.
func needCyclone(t *testing.T) {
	t.Helper()
	const install = "apt-get install cyclonedds-dev cyclonedds-tools gcc"
	for _, tool := range []string{"idlc", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing: %s", tool, install)
		}
	}
	cmd := exec.CommandContext(t.Context(), "cc", "-E", "-")
	cmd.Stdin = strings.NewReader("#include <dds/dds.h>\n")
	if err := cmd.Run(); err != nil {
		t.Skipf("the headers of Cyclone DDS are missing: %s", install)
	}
}

// buildCyclone builds a program of sources in the folder cyclone, with Gids of so
// many bytes: 16 or 24.
func buildCyclone(t *testing.T, gid string, sources ...string) (program string) {
	t.Helper()
	source, err := filepath.Abs("cyclone")
	must.OK(t, err)
	dir := t.TempDir()
	program = filepath.Join(dir, strings.TrimSuffix(sources[0], ".c"))
	cc := []string{"cc", "-O1", "-Wall", "-I.", "-I" + source, "-o", program}
	for _, s := range sources {
		cc = append(cc, filepath.Join(source, s))
	}
	for _, args := range [][]string{
		{"idlc", "-DGID_LENGTH=" + gid, filepath.Join(source, "ros.idl")},
		append(cc, "ros.c", "-lddsc", "-lm"),
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return program
}

// process is a program that the test started. What it says is for after its end.
type process struct {
	*exec.Cmd
	out, err bytes.Buffer
	done     chan struct{} // closed at its end
	end      error         // of Wait
}

// start starts a program on loopback, in the test's domain, in an environment that
// says nothing else of ROS 2 or DDS. It does not outlive the test.
func start(t *testing.T, program string, args ...string) *process {
	t.Helper()
	return startWith(t, nil, program, args...)
}

// startWith is start with more variables in the environment.
func startWith(t *testing.T, env []string, program string, args ...string) *process {
	t.Helper()
	settings, err := filepath.Abs("cyclone/loopback.xml")
	must.OK(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	p := &process{Cmd: exec.CommandContext(ctx, program, args...), done: make(chan struct{})}
	p.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "ROS_") || strings.HasPrefix(v, "FAST") || strings.HasPrefix(v, "CYCLONEDDS_") || strings.HasPrefix(v, "RMW_")
	})
	p.Env = append(p.Env, "ROS_DOMAIN_ID="+fmt.Sprint(domain()), "ROS_LOCALHOST_ONLY=1", "CYCLONEDDS_URI=file://"+settings)
	p.Env = append(p.Env, env...)
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	go func() {
		p.end = p.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		cancel()
		<-p.done
		if t.Failed() {
			t.Logf("%s %v said\n%s\n%s", filepath.Base(program), args, clip(p.out.String()), clip(p.err.String()))
		}
	})
	return p
}

// succeed waits for the end of a process, which must be a good one, while others
// have to live on.
func (p *process) succeed(t *testing.T, others ...*process) {
	t.Helper()
	over := make(chan struct{})
	defer close(over)
	died := make(chan *process, len(others))
	for _, o := range others {
		go func() {
			select {
			case <-o.done:
				died <- o
			case <-over:
			}
		}()
	}
	select {
	case <-p.done:
	case o := <-died:
		t.Fatalf("%s has ended meanwhile: %v", filepath.Base(o.Path), o.end)
	}
	if p.end != nil {
		t.Fatalf("%s ends with %v", filepath.Base(p.Path), p.end)
	}
}

// clip leaves the middle of a long text out.
func clip(s string) string {
	const most = 8000
	if len(s) > 2*most {
		return s[:most] + "\n…\n" + s[len(s)-most:]
	}
	return s
}

// newParty returns a node in the test's own process.
func newParty(t testing.TB, change ...func(*fastdds.Config)) *rostest.Party {
	t.Helper()
	cfg := fastdds.DefaultConfig()
	cfg.Domain, cfg.Range = domain(), fastdds.Loopback
	for _, f := range change {
		f(&cfg)
	}
	tr, err := fastdds.New(cfg)
	must.OK(t, err)
	t.Cleanup(func() { must.OK(t, tr.Close()) })
	return rostest.NewParty(t, tr, "party", patience)
}
