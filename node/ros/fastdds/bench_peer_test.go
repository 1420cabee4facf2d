//go:build fastdds

package fastdds_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/fastdds"
)

// benchPeerOf makes a process of the test binary one end of the benchmarks: what
// testdata/cpp/peer.cpp is, with nodes and messages. Its value is the role and the
// domain.
const benchPeerOf = "FASTDDS_BENCH_PEER"

// odometry returns a message as a localisation filter publishes it.
func odometry() *nav_msgs.Odometry {
	m := &nav_msgs.Odometry{ChildFrameID: "base_link", Pose: odometryAt(12.5)}
	m.Header.FrameID, m.Header.Stamp = "odom", ros.TimeMsg(1_700_000_000_123_456_789)
	m.Pose.Pose.Orientation.W = 1
	for i := range m.Pose.Covariance {
		m.Pose.Covariance[i] = float64(i)
	}
	return m
}

// benchPeer joins the domain and does what its role has to until its standard
// input ends.
func benchPeer(settings string) error {
	cfg := fastdds.DefaultConfig()
	cfg.Range = fastdds.Loopback
	var role string
	if _, err := fmt.Sscan(settings, &role, &cfg.Domain); err != nil {
		return err
	}
	p, err := openPeer(cfg, role, nil)
	if err != nil {
		return err
	}
	if role == "pong" {
		err = benchPong(p)
	} else {
		err = benchPing(p.n, p.ex)
	}
	if err != nil {
		return err
	}
	return p.close()
}

// benchPong says again on /pong what it hears on /ping, and on /heard how many
// maps of /stream it has heard, after the last, which has no second in its stamp.
func benchPong(p *peer) error {
	n, ex := p.n, p.ex
	back, err := ros.Advertise[nav_msgs.Odometry](n, "pong", ros.DefaultQoS())
	if err != nil {
		return err
	}
	heard, err := ros.Advertise[std_msgs.UInt64](n, "heard", ros.DefaultQoS())
	if err != nil {
		return err
	}
	if _, err := ros.Subscribe(n, "ping", ros.DefaultQoS(), func(m *nav_msgs.Odometry, _ ros.MessageInfo) {
		if err := back.Publish(m); err != nil {
			ex.Stop(err)
		}
	}); err != nil {
		return err
	}
	var count std_msgs.UInt64
	if _, err := ros.Subscribe(n, "stream", ros.QoS{History: ros.KeepAll}, func(m *nav_msgs.OccupancyGrid, _ ros.MessageInfo) {
		if count.Data++; m.Header.Stamp.Sec > 0 {
			return
		}
		if err := heard.Publish(&count); err != nil {
			ex.Stop(err)
		}
		count.Data = 0
	}); err != nil {
		return err
	}
	return p.untilStdinEnds()
}

// benchPing does what its standard input says, see peer.cpp. As in a node that
// answers, a message of a series of trips is sent from the callback of the one
// before.
func benchPing(n *ros.Node, ex *exec.RealTime) error {
	ping, err := ros.Advertise[nav_msgs.Odometry](n, "ping", ros.DefaultQoS())
	if err != nil {
		return err
	}
	stream, err := ros.Advertise[nav_msgs.OccupancyGrid](n, "stream", ros.QoS{History: ros.KeepAll})
	if err != nil {
		return err
	}
	m, sent, left, took := odometry(), time.Time{}, 0, make([]int64, 0, 1<<16)
	send := func() {
		left--
		sent = time.Now()
		if err := ping.Publish(m); err != nil {
			ex.Stop(err)
		}
	}
	pong, err := ros.Subscribe(n, "pong", ros.DefaultQoS(), func(*nav_msgs.Odometry, ros.MessageInfo) {
		took = append(took, int64(time.Since(sent)))
		if left > 0 {
			send()
		}
	})
	if err != nil {
		return err
	}
	var heard []uint64
	heards, err := ros.Subscribe(n, "heard", ros.DefaultQoS(), func(m *std_msgs.UInt64, _ ros.MessageInfo) { heard = append(heard, m.Data) })
	if err != nil {
		return err
	}
	wait := func(cond func() bool) error {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		return ex.Run(ctx, cond)
	}
	poll := ex.Every(time.Millisecond, func() {})
	if err := wait(func() bool {
		return ping.Matched() == 1 && stream.Matched() == 1 && pong.Matched() == 1 && heards.Matched() == 1
	}); err != nil {
		return err
	}
	poll.Stop()
	fmt.Println("matched")
	out := bufio.NewWriter(os.Stdout)
	for {
		var command string
		var size, count int
		if _, err := fmt.Scan(&command, &size, &count); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch command {
		case "trip":
			took, left = took[:0], count
			send()
			if err := wait(func() bool { return len(took) == count }); err != nil {
				return err
			}
			for _, t := range took {
				fmt.Fprintln(out, t)
			}
		case "stream":
			heard = heard[:0]
			var m nav_msgs.OccupancyGrid
			m.Data = make([]int8, size-len(m.AppendCDR(nil)))
			begin := time.Now()
			for left := count - 1; left >= 0; left-- {
				m.Header.Stamp.Sec = int32(left)
				if err := stream.Publish(&m); err != nil {
					return err
				}
			}
			if err := wait(func() bool { return len(heard) > 0 }); err != nil {
				return err
			}
			fmt.Fprintln(out, int64(time.Since(begin)))
			if heard[0] != uint64(count) {
				return fmt.Errorf("only %d of %d came", heard[0], count)
			}
		default:
			return fmt.Errorf("not understood: %s", command)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}
