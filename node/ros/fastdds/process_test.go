// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
	rosexec "ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/fastdds"
)

// childOf makes a process of the test binary the other side: see child. Its value
// is domain and lease.
const childOf = "FASTDDS_TEST_CHILD"

func TestMain(m *testing.M) {
	if v := os.Getenv(childOf); v != "" {
		if err := child(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if v := os.Getenv(strangerOf); v != "" {
		if err := stranger(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// peer is a node in a process of the test binary, and what runs it.
type peer struct {
	tr *fastdds.Transport
	ex *rosexec.RealTime
	n  *ros.Node
}

// openPeer joins with the security settings of the environment. Without a log handler the node logs
// as by default.
func openPeer(cfg fastdds.Config, name string, log slog.Handler) (*peer, error) {
	if err := secure(&cfg); err != nil {
		return nil, err
	}
	tr, err := fastdds.New(cfg)
	if err != nil {
		return nil, err
	}
	ex := rosexec.NewRealTime()
	n, err := ros.NewNode(tr, ex, name, ros.NodeOptions{LogHandler: log})
	if err != nil {
		return nil, err
	}
	return &peer{tr: tr, ex: ex, n: n}, nil
}

// untilStdinEnds runs the node until the standard input ends.
func (p *peer) untilStdinEnds() error {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := p.ex.Run(ctx, nil); ctx.Err() == nil {
		return err
	}
	return nil
}

func (p *peer) close() error {
	if err := p.n.Close(); err != nil {
		return err
	}
	return p.tr.Close()
}

// child is a node that says again on /pong what it hears on /ping, and on /back
// the maps of /map, and serves /child/switch, which asks /parent/switch, until its
// standard input ends.
func child(settings string) error {
	cfg := fastdds.DefaultConfig()
	cfg.Range = fastdds.Loopback
	if _, err := fmt.Sscan(settings, &cfg.Domain, (*int64)(&cfg.Lease)); err != nil {
		return err
	}
	p, err := openPeer(cfg, "child", nil)
	if err != nil {
		return err
	}
	n := p.n
	pong, err := ros.Advertise[nav_msgs.Odometry](n, "pong", ros.DefaultQoS())
	if err != nil {
		return err
	}
	if _, err := ros.Subscribe(n, "ping", ros.DefaultQoS(), func(m *nav_msgs.Odometry, _ ros.MessageInfo) { _ = pong.Publish(m) }); err != nil {
		return err
	}
	back, err := ros.Advertise[nav_msgs.OccupancyGrid](n, "back", ros.Latched())
	if err != nil {
		return err
	}
	if _, err := ros.Subscribe(n, "map", ros.Latched(), func(m *nav_msgs.OccupancyGrid, _ ros.MessageInfo) { _ = back.Publish(m) }); err != nil {
		return err
	}
	said, err := ros.Advertise[std_msgs.String](n, "said", ros.Latched())
	if err != nil {
		return err
	}
	if err := said.Publish(&std_msgs.String{Data: "before you came"}); err != nil {
		return err
	}
	parent, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](n, "/parent/switch")
	if err != nil {
		return err
	}
	if _, err := ros.ServeLater(n, "~/switch", func(req *std_srvs.SetBoolRequest, answer func(*std_srvs.SetBoolResponse)) {
		ask := *req
		var poll *rosexec.Timer
		var err error
		// A service that does not know this client yet would lose the request.
		poll, err = n.NewTimer(2*time.Millisecond, func() {
			if parent.Matched() == 0 {
				return
			}
			poll.Stop()
			_ = parent.Call(&ask, patience, func(res *std_srvs.SetBoolResponse, err error) {
				if err != nil {
					answer(&std_srvs.SetBoolResponse{Message: err.Error()})
					return
				}
				answer(&std_srvs.SetBoolResponse{Success: res.Success, Message: "child heard " + res.Message})
			})
		})
		if err != nil {
			answer(&std_srvs.SetBoolResponse{Message: err.Error()})
		}
	}); err != nil {
		return err
	}
	if err := p.untilStdinEnds(); err != nil {
		return err
	}
	return p.close()
}

// process is a running child.
type process struct {
	*exec.Cmd
	stdin    io.Closer
	out, err bytes.Buffer
}

func start(t testing.TB, lease time.Duration, env ...string) *process {
	t.Helper()
	return startAs(t, append(env, fmt.Sprintf("%s=%d %d", childOf, domain(), int64(lease)))...)
}

// startAs starts a process of the test binary with more variables in its environment.
func startAs(t testing.TB, env ...string) *process {
	t.Helper()
	p := &process{Cmd: killtest.Command(os.Args[0])}
	p.Env = append(os.Environ(), env...)
	p.Stdout, p.Stderr = &p.out, &p.err
	in, err := p.StdinPipe()
	must.OK(t, err)
	p.stdin = in
	must.OK(t, p.Start())
	t.Cleanup(func() {
		if p.ProcessState == nil {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
	})
	return p
}

// stop ends the child as a user would.
func (p *process) stop(t testing.TB) {
	t.Helper()
	must.OK(t, p.stdin.Close())
	if err := p.Wait(); err != nil {
		t.Errorf("the child ends with %v: %s", err, p.err.String())
	}
}

// newParent returns the side of the tests.
func newParent(t testing.TB, change ...func(*fastdds.Config)) *rostest.Party {
	t.Helper()
	tr := join(t, change...)
	return rostest.NewParty(t, tr, "parent", patience, tr.Warnings()...)
}

// Two processes exchange topics and services; one is killed, the other notices,
// and continues with the next.
func TestProcesses(t *testing.T) {
	t.Parallel()
	p := newParent(t)
	asked := 0
	_, err := ros.Serve(p.N, "~/switch", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) {
		asked++
		res.Success, res.Message = req.Data, fmt.Sprint("answer ", asked)
	})
	must.OK(t, err)
	client, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](p.N, "/child/switch")
	must.OK(t, err)
	ping := rostest.Publisher[nav_msgs.Odometry](t, p.N, "ping", ros.DefaultQoS())
	var pongs []float64
	pong := rostest.Hear(t, p.N, "pong", ros.DefaultQoS(), func(m *nav_msgs.Odometry) {
		pongs = append(pongs, m.Pose.Pose.Position.X)
	})
	grid := rostest.Publisher[nav_msgs.OccupancyGrid](t, p.N, "map", ros.Latched())
	sent := nav_msgs.OccupancyGrid{Data: make([]int8, 2<<20)}
	for i := range sent.Data {
		sent.Data[i] = int8(i * 31)
	}
	must.OK(t, grid.Publish(&sent))

	// Who is killed is missed after its lease; who stops says so, long before.
	// A process that stands still for longer than its lease is removed by the other side
	// alone, and Fast DDS does not match the two again: see the package. So the lease of
	// the first is longer than a loaded machine keeps a process waiting.
	leases := map[int]time.Duration{1: 10 * time.Second, 2: 10 * patience}
	for round := 1; round <= 2; round++ {
		maps, saids := 0, 0
		other := start(t, leases[round])
		back := rostest.Hear(t, p.N, "back", ros.Latched(), func(m *nav_msgs.OccupancyGrid) {
			for i := range m.Data {
				if m.Data[i] != int8(i*31) {
					t.Fatalf("byte %d of the map is %d", i, m.Data[i])
				}
			}
			if len(m.Data) == len(sent.Data) {
				maps++
			}
		})
		said := rostest.Hear(t, p.N, "said", ros.Latched(), func(m *std_msgs.String) {
			if m.Data != "before you came" {
				t.Errorf("the child said %q", m.Data)
			}
			saids++
		})
		p.Wait("matches", func() bool { return ping.Matched() == 1 && pong.Matched() == 1 })
		if m := p.Call(client); m != fmt.Sprint("child heard answer ", round) {
			t.Errorf("round %d: the child answers %q", round, m)
		}
		pongs = nil
		const n = 20
		for i := range n { // one at a time: the child's own publisher may be matched later than ours
			must.OK(t, ping.Publish(&nav_msgs.Odometry{Pose: odometryAt(float64(i))}))
			p.Wait("the pong", func() bool { return len(pongs) == i+1 })
			if pongs[i] != float64(i) {
				t.Fatalf("pong %d is %v", i, pongs[i])
			}
		}
		p.Wait("the map", func() bool { return maps == 1 })
		p.Wait("the latched word", func() bool { return saids == 1 })
		p.Wait("the child's name", func() bool {
			for _, e := range p.N.Endpoints("/pong") {
				if e.Kind == ros.PublisherEnd && e.Node == "/child" {
					return true
				}
			}
			return false
		})
		gone := func() bool {
			return ping.Matched() == 0 && pong.Matched() == 0 && client.Matched() == 0 && len(p.N.Endpoints("/pong")) == 1
		}
		if round == 1 {
			must.OK(t, other.Process.Kill())
			_ = other.Wait()
			p.Wait("the killed child to go", gone)
		} else {
			other.stop(t)
			p.Wait("the stopped child to go", gone)
		}
		must.OK(t, back.Close())
		must.OK(t, said.Close())
	}
}
