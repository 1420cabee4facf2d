// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/host"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation"
	"ugp_explorer/sim"
)

// epoch is the time at which each trial begins, ns: late enough for clocks to go back.
const epoch = int64(1e6) * int64(time.Second)

// operatorName is the name of the node of the person who looks after the mission.
const operatorName = "operator"

// world is a trial that is under way.
type world struct {
	*exec.Simulated
	trial  *Trial
	config simulation.Config
	dir    string // of the mission
	wire   *wire
	disk   *disk

	robotClock, explorerClock, worldClock *clock
	jumped                                int64 // by which all clocks were set, ns

	processes map[string]*process
	ports     map[string]*port
	nodes     map[string]*ros.Node
	robot     *fieldsim.Fieldsim
	explorer  *explorer.Explorer // of the last start
	// explorerConfig is that of the explorer, with all that follows the field's size.
	explorerConfig *settings.Config
	nav2           *nav2
	words          *ros.Publisher[std_msgs.String, *std_msgs.String]
	told           *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	override       *ros.Publisher[std_msgs.Bool, *std_msgs.Bool]

	truth   truth
	faults  []Fault // that are injected
	active  int     // faults that have begun and not ended, or are still to begin
	harmed  harm    // what has been disturbed so far
	watcher *watcher
}

// seconds returns the time since the trial began, s. Jumps do not count.
func (w *world) seconds() float64 {
	return float64(w.Now()-w.jumped-epoch) / 1e9
}

// after runs fn after s seconds.
func (w *world) after(s float64, fn func()) {
	w.After(time.Duration(s*float64(time.Second)), fn)
}

// newWorld starts the nodes of a trial, with only the faults given. folder is for its files.
func newWorld(t *Trial, faults []Fault, folder string) (*world, error) {
	ex := exec.NewSimulated(epoch)
	w := &world{
		Simulated: ex, trial: t, config: t.config, dir: filepath.Join(folder, "mission"), disk: newDisk(),
		robotClock: &clock{}, worldClock: &clock{}, faults: faults,
		processes: map[string]*process{}, ports: map[string]*port{}, nodes: map[string]*ros.Node{},
	}
	w.explorerClock = w.robotClock
	if t.laptop {
		w.explorerClock = &clock{}
	}
	w.config.Fieldsim.Obstacles = nil
	for i := range faults {
		if f := &faults[i]; f.Kind == "heading-wrong" {
			w.config.EKF.Filter.InitialYaw = math.Remainder(w.config.EKF.Filter.InitialYaw+f.Size, 2*math.Pi)
		}
	}
	w.watcher = newWatcher(w)
	w.wire = &wire{graph: inproc.New(), ex: ex, sent: w.watcher.sent, arrived: w.watcher.arrived}
	for _, topic := range []string{"/odom", "/fix_pose", "/reading", "/imu"} {
		w.wire.add(topic, w.restamp)
	}
	boundary := filepath.Join(folder, "field.geojson")
	if _, err := convert.WriteBoundary(boundary, t.field, nil); err != nil {
		return nil, err
	}
	w.config.Fieldsim.Field.Boundary = boundary
	start := []string{fieldsim.DefaultName, ekf.DefaultName, follower.DefaultName}
	if t.behind() {
		start = append(start, guard.DefaultName)
	}
	if t.nav2 {
		start = append(start, nav2Name)
	}
	for _, name := range append(start, operatorName, explorer.DefaultName) {
		if err := w.start(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	w.schedule()
	return w, nil
}

// computer returns the clocks of a computer.
func (w *world) computer(name string) []*clock {
	if name == "laptop" {
		return []*clock{w.explorerClock}
	}
	return []*clock{w.robotClock}
}

// jump sets all clocks by d ns, as a simulation that starts again or a bag that is played
// again does. The robot continues as before.
func (w *world) jump(d int64) {
	w.jumped += d
	w.worldClock.offset -= d
	w.Jump(w.Now() + d)
}

// restamp gives the sensors' messages the stamps of the robot's clock, whatever that shows.
// The robot itself knows the true time.
func (w *world) restamp(cdr []byte, on deliver) {
	on(stampedLater(cdr, w.robotClock.read(w.Now())-w.worldClock.read(w.Now())), 0)
}

// stampedLater returns a message whose stamp is later by a number of ns.
func stampedLater(cdr []byte, by int64) []byte {
	if by == 0 || len(cdr) < 12 {
		return cdr
	}
	b := append([]byte(nil), cdr...) // a header begins with its stamp
	stamp := int64(int32(binary.LittleEndian.Uint32(b[4:])))*1e9 + int64(binary.LittleEndian.Uint32(b[8:])) + by
	binary.LittleEndian.PutUint32(b[4:], uint32(stamp/1e9))
	binary.LittleEndian.PutUint32(b[8:], uint32(stamp%1e9))
	return b
}

// start starts a process.
func (w *world) start(name string) error {
	c := w.robotClock
	switch name {
	case explorer.DefaultName, operatorName:
		c = w.explorerClock
	case fieldsim.DefaultName:
		c = w.worldClock
	}
	p := &process{Simulated: w.Simulated, clock: c, world: c == w.worldClock}
	tr := w.wire.open(p)
	w.processes[name], w.ports[name] = p, tr
	open := func(set *param.Set, remaps ...string) (*ros.Node, error) {
		opts := ros.NodeOptions{Parameters: set, LogHandler: w.trial.log}
		for _, r := range remaps {
			m, err := names.ParseRemap(r)
			if err != nil {
				return nil, err
			}
			opts.Remaps = append(opts.Remaps, m)
		}
		n, err := ros.NewNode(tr, p, name, opts)
		w.nodes[name] = n
		return n, err
	}
	switch name {
	case fieldsim.DefaultName:
		n, err := open(w.config.Fieldsim.Parameters())
		if err != nil {
			return err
		}
		w.robot, err = fieldsim.New(n, &w.config.Fieldsim)
		return err
	case ekf.DefaultName:
		cfg := w.config.EKF
		if w.seconds() > 0 { // somebody tells it the heading again
			cfg.Filter.InitialYaw = w.truth.pose.Yaw
		}
		n, err := open(cfg.Parameters())
		if err != nil {
			return err
		}
		_, err = ekf.New(n, &cfg)
		return err
	case follower.DefaultName:
		cfg := w.config.Follower
		n, err := open(cfg.Parameters(), w.behind("cmd_vel:=cmd_vel_in")...)
		if err != nil {
			return err
		}
		_, err = follower.New(n, &cfg)
		return err
	case guard.DefaultName:
		cfg := guard.DefaultConfig()
		if w.trial.guard {
			cfg.Outline, cfg.Allowance = w.trial.field, w.trial.fence()
		}
		n, err := open(cfg.Parameters())
		if err != nil {
			return err
		}
		_, err = guard.New(n, &cfg)
		return err
	case nav2Name:
		n, err := open(nil)
		if err != nil {
			return err
		}
		return w.startNav2(n)
	case operatorName:
		n, err := open(nil)
		if err != nil {
			return err
		}
		if w.words, err = ros.Advertise[std_msgs.String](n, explorer.DefaultName+"/command", ros.DefaultQoS()); err != nil {
			return err
		}
		if w.told, err = ros.Advertise[geometry_msgs.PoseWithCovarianceStamped](n, "initialpose", ros.DefaultQoS()); err != nil {
			return err
		}
		if w.override, err = ros.Advertise[std_msgs.Bool](n, guard.DefaultName+"/override", ros.DefaultQoS()); err != nil {
			return err
		}
		_, err = n.NewTimer(time.Second, w.mind)
		return err
	}
	cfg := w.trial.explorer()
	cfg.OutputDir = w.dir
	cfg.Disk = view{w.disk, p}
	cfg.Wall = func() time.Time { return time.Unix(0, w.Now()) }
	n, err := open(cfg.Parameters())
	if err != nil {
		return err
	}
	w.watcher.explorerStarts()
	w.explorerConfig = &cfg
	h, err := host.New(n, &cfg)
	if err != nil {
		return err
	}
	w.explorer = h.Explorer()
	return nil
}

// behind returns remaps for a follower behind a guard.
func (w *world) behind(remap string) []string {
	if w.trial.behind() {
		return []string{remap}
	}
	return nil
}

// kill ends a process at once.
func (w *world) kill(name string) {
	w.processes[name].kill()
	w.ports[name].cut()
	w.watcher.killed(name)
}

// restart starts a process that was killed.
func (w *world) restart(name string) {
	if !w.processes[name].dead {
		return
	}
	if name == explorer.DefaultName && w.watcher.over() {
		return // nobody starts a mission again that is over
	}
	err := w.start(name)
	w.watcher.note("START %s: %v", name, err)
	if err == nil || w.processes[name].dead { // killed while it started: that restarts it
		return
	}
	w.kill(name)
	if !w.watcher.disturbedBy(harmDisk, patience) {
		w.watcher.notStarted(name, err)
		return
	}
	w.after(patience, func() { w.restart(name) }) // a journal that cannot be synced is not used
}

// patience is the time after which a program that did not start is started again, s.
const patience = 3

// schedule lets the faults begin and end.
func (w *world) schedule() {
	for i := range w.faults {
		f := &w.faults[i]
		k := kindOf(f.Kind)
		rng := stream(w.trial.Seed, fmt.Sprint("fault ", f.Number))
		w.active++
		w.after(f.At, func() {
			h := w.harm(f)
			w.harmed |= h
			w.watcher.disturbed(f, h)
			end := k.begin(w, f, rng)
			w.after(f.For, func() {
				if end != nil {
					end()
				}
				w.active--
			})
		})
	}
}

// carry sets the robot down elsewhere. How far outside that is, is not its fault, nor how far it drives
// until the next fix tells that.
func (w *world) carry(to sim.Pose) {
	w.robot.Carry(to)
	put := &w.watcher.motion.put
	if *put = w.watcher.out(orb.Point{to.X, to.Y}); w.trial.guard {
		*put += 1.1 * w.config.Follower.Pursuit.MaxSpeed * (w.config.Fieldsim.Fix.Period + 0.5)
	}
}

// harm returns what a fault that begins disturbs, with those that are under way. Where the wheels
// turn against an obstacle and no fix contradicts them, nobody can know that the robot stands.
func (w *world) harm(f *Fault) harm {
	h := f.harm()
	for i := range w.faults {
		g := &w.faults[i]
		underWay := g.At <= f.At && f.At <= g.end()+g.delay()
		if underWay && (f.Kind == "stuck" && g.hidesFixes() || g.Kind == "stuck" && f.hidesFixes()) {
			h |= harmPose
		}
	}
	return h
}

// hidesFixes reports whether fixes are lost or too late for the filter.
func (f *Fault) hidesFixes() bool {
	return f.On == "/fix_pose" && f.Kind != "double"
}

// say gives the explorer a command.
func (w *world) say(word string) {
	switch word {
	case "start", "resume", "home":
		w.watcher.mission.waits = false
	}
	_ = w.words.Publish(&std_msgs.String{Data: word}) // its node lives as long as the world
}

// tellPose gives the filter the true pose, as somebody who sees the robot does in RViz.
func (w *world) tellPose() {
	t := &w.truth.pose
	m := geometry_msgs.PoseWithCovarianceStamped{Header: std_msgs.Header{FrameID: "map"}} // a stamp of 0 means now
	const place, yaw = 0.5, 0.1                                                           // standard deviations, m and rad
	convert.PoseWithCovariance(&m.Pose, localization.Pose{
		X: t.X, Y: t.Y, Yaw: t.Yaw, Cov: [3][3]float64{{place * place, 0, 0}, {0, place * place, 0}, {0, 0, yaw * yaw}},
	})
	_ = w.told.Publish(&m)
}

// run runs the trial until its mission is over.
func (w *world) run(ctx context.Context) error {
	return w.Run(ctx, w.watcher.ended)
}

// close takes all nodes off the graph.
func (w *world) close() {
	for name, p := range w.processes {
		if !p.dead {
			w.kill(name)
		}
	}
}

// heading returns a yaw in radians from a quaternion about z.
func heading(z, w float64) float64 { return 2 * math.Atan2(z, w) }

// probe returns the place of the probe of a robot.
func (w *world) probe() orb.Point {
	c := w.config.Fieldsim.Probe
	return w.truth.pose.Point(c.Forward, c.Left)
}
