package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/ros/param"
)

type bagCommand struct {
	Info  bagInfoCommand  `cmd:"" help:"Show the content of a bag: topics, types, counts, rates, gaps and problems."`
	Check bagCheckCommand `cmd:"" help:"Check whether ugp replay can use a bag. Exit code 0: yes, 1: no."`
}

type bagInfoCommand struct {
	Bag string `arg:"" help:"A rosbag2 bag: its folder, one of its files, or a mission folder that contains bags." type:"path"`
}

// Run reads the whole bag and prints its topics and problems.
func (c *bagInfoCommand) Run(t terminal) error {
	src, err := replay.Open(t.ctx, c.Bag)
	if err != nil {
		return badInput{err}
	}
	defer src.Close()
	looking := newShareProgress(t, "reading")
	inv, err := replay.Take(src, func(share float64) error { looking.update(share); return t.ctx.Err() })
	looking.finish()
	if err != nil {
		return err
	}
	t.out = shown{t.out}
	printBag(t.out, src)
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "topic\ttype\tmessages\tHz\tlongest gap\tbytes\tstamps older than record time\n")
	for _, i := range inv.Topics {
		typ := i.Type
		switch {
		case typ == "":
			typ = "unknown"
		case !i.Known:
			typ += " (not known to ugp)"
		}
		stamps := "none"
		if i.Stamped && !math.IsNaN(i.MostAge) {
			stamps = fmt.Sprintf("%.3f to %.3f s", i.LeastAge, i.MostAge)
		}
		gap := "-"
		if !math.IsNaN(i.Gap) {
			gap = fmt.Sprintf("%.3g s at %.1f s", i.Gap, i.GapAt)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", i.Name, typ, i.Read, figure(i.Rate), gap, size(i.Bytes), stamps)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	problems, lost := src.Problems()
	printProblems(t.out, append(problems, inv.Problems...), lost+inv.Lost, "No problems were found.")
	return nil
}

// printBag prints the bag's format, files, duration and number of messages.
func printBag(w io.Writer, src *replay.Source) {
	for _, info := range src.Bags {
		var ways []string
		bytes := int64(0)
		for _, f := range info.Files {
			if c := string(f.Compression); c != "" && !slices.Contains(ways, c) {
				ways = append(ways, c)
			}
			bytes += f.Bytes
		}
		format := "without metadata.yaml"
		if info.Version > 0 {
			format = fmt.Sprintf("metadata version %d", info.Version)
		}
		if info.Distro != "" {
			format += ", ROS " + info.Distro
		}
		fmt.Fprintf(w, "%s: %s, compression %s, %s of %s, %s\n", info.Path, info.Storage, strings.Join(ways, " and "), count(len(info.Files), "file"), size(bytes), format)
		if len(info.Files) > 1 {
			for _, f := range info.Files {
				fmt.Fprintf(w, "  %s: %d messages, %s to %s\n", filepath.Base(f.Path), f.Count, instant(f.Start), instant(f.End))
			}
		}
	}
	fmt.Fprintf(w, "%d messages in %s, recorded from %s to %s\n\n", src.Count, exactClock(src.Duration()), instant(src.Start), instant(src.End))
}

// printProblems prints problems, or what is said if there are none.
func printProblems(w io.Writer, problems []string, lost int64, none string) {
	if len(problems) == 0 {
		fmt.Fprintln(w, "\n"+none)
		return
	}
	fmt.Fprintln(w, "\nProblems:")
	for _, p := range problems {
		fmt.Fprintf(w, "- %s\n", p)
	}
	if lost > 0 {
		fmt.Fprintf(w, "%d bytes are known to be lost.\n", lost)
	}
}

// instant formats a record time. Times of a simulation or of a clock that was not set
// are shown without a date.
func instant(ns int64) string {
	s := fmt.Sprintf("%.3f s", float64(ns)/1e9)
	if ns > int64(1e18) {
		s += time.Unix(0, ns).UTC().Format(" (2006-01-02 15:04:05 UTC)")
	}
	return s
}

func exactClock(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%s (%.1f s)", clock(d.Seconds()), d.Seconds())
}

func size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d B", n)
	case n < 10_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// figure formats a number; a dash stands for an unknown one.
func figure(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return fmt.Sprintf("%.3g", v)
}

// poseFlags select the bag, where its poses come from, and parameters.
type poseFlags struct {
	Bag       string   `arg:"" help:"A rosbag2 bag: its folder, one of its files, or a mission folder that contains bags." type:"path"`
	PoseTopic string   `group:"bag" help:"Topic of the poses, nav_msgs/Odometry or geometry_msgs/PoseWithCovarianceStamped. Default: the topic that the explorer subscribes to, or the bag's only topic of these types." placeholder:"TOPIC"`
	OdomTopic string   `group:"bag" help:"Topic of the wheel odometry, nav_msgs/Odometry, from which the filter computes the poses of a bag without poses. Default: /odom, or the bag's only topic of this type." placeholder:"TOPIC"`
	FixTopic  string   `group:"bag" help:"Topic of the position fixes for the filter, sensor_msgs/NavSatFix, or geometry_msgs/PoseWithCovarianceStamped in the map frame. Default: /fix, or the bag's only NavSatFix. With this flag the filter runs although the bag has poses." placeholder:"TOPIC"`
	IMUTopic  string   `name:"imu-topic" group:"bag" help:"Topic of the yaw rates for the filter, sensor_msgs/Imu. Default: /imu, or the bag's only topic of this type, if there is one." placeholder:"TOPIC"`
	Config    string   `group:"run" help:"ROS YAML file with parameters of the explorer and of the filter (ekf). Flags override the file." type:"path" placeholder:"FILE"`
	Param     []string `group:"run" short:"p" sep:"none" help:"Set a parameter of the explorer, as with ros2 run, or ekf:NAME:=VALUE one of the filter; can be repeated." placeholder:"NAME:=VALUE"`
}

// bagFlags select the bag, its topics and the explorer's parameters.
type bagFlags struct {
	poseFlags    `embed:""`
	ReadingTopic string `group:"bag" help:"Topic of the readings. Default: /reading, or the bag's only topic of a type that the explorer supports." placeholder:"TOPIC"`
}

// overrides returns the parameters of --config and -p.
func (c *poseFlags) overrides() (*param.Overrides, error) {
	o := &param.Overrides{}
	if c.Config != "" {
		if err := o.AddFile(c.Config); err != nil {
			return nil, badInput{fmt.Errorf("--config: %w", err)}
		}
	}
	for _, p := range c.Param {
		name, value, assigned := strings.Cut(p, ":=")
		if !assigned {
			return nil, badInput{fmt.Errorf("-p is %q: want NAME:=VALUE", p)}
		}
		node, name, named := strings.Cut(name, ":")
		if !named {
			node, name = explorer.DefaultName, node
		}
		if node != explorer.DefaultName && node != ekf.DefaultName || strings.Contains(name, ":") {
			return nil, badInput{fmt.Errorf("-p is %q: want a parameter of the explorer, NAME:=VALUE, or of the filter, %s:NAME:=VALUE", p, ekf.DefaultName)}
		}
		if err := assign(o, node+":"+name+":="+value); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// choose sets the topics that the flags name.
func (c *bagFlags) choose(cfg *replay.Config) {
	c.poseFlags.choose(cfg)
	cfg.Reading = c.ReadingTopic
}

// choose sets the topics of the poses that the flags name.
func (c *poseFlags) choose(cfg *replay.Config) {
	cfg.Pose, cfg.Odom, cfg.Fix, cfg.IMU = c.PoseTopic, c.OdomTopic, c.FixTopic, c.IMUTopic
}

type bagCheckCommand struct {
	bagFlags `embed:""`
}

// errUnusable is the error of check for an unusable bag. The reason has been printed
// already.
var errUnusable = errors.New("the bag cannot be replayed")

// survey runs read, which reads a whole bag, and shows its progress. looking takes the share that
// is read, and returns an error when the command is interrupted. An error of read is one in the bag.
func survey(t terminal, read func(looking func(share float64) error) error) error {
	progress := newShareProgress(t, "reading")
	err := read(func(share float64) error { progress.update(share); return t.ctx.Err() })
	progress.finish()
	switch {
	case t.ctx.Err() != nil:
		return context.Cause(t.ctx)
	case err != nil:
		return badInput{err}
	}
	return nil
}

// Run checks poses and readings by the explorer's rules and prints the result.
func (c *bagCheckCommand) Run(t terminal) error {
	overrides, err := c.overrides()
	if err != nil {
		return err
	}
	cfg := replay.DefaultConfig()
	c.choose(&cfg)
	src, err := replay.Open(t.ctx, c.Bag)
	if err != nil {
		return badInput{err}
	}
	defer src.Close()
	var v *replay.Verdict
	if err := survey(t, func(looking func(float64) error) (err error) {
		v, err = replay.Check(src, &cfg, overrides, looking)
		return err
	}); err != nil {
		return err
	}
	t.out = shown{t.out}
	printBag(t.out, src)
	printCheck(t.out, v)
	if c.Config != "" && v.Usable {
		v.Command += " --config " + c.Config
	}
	for _, p := range c.Param {
		if v.Usable {
			v.Command += " -p " + p
		}
	}
	if !v.Usable {
		fmt.Fprintf(t.out, "\nNot usable: %s.\n", v.Why)
		return errUnusable
	}
	fmt.Fprintf(t.out, "\nUsable: %s.\n\n    %s --out out/replay\n", v.Why, v.Command)
	return nil
}

func printCheck(w io.Writer, v *replay.Verdict) {
	for _, p := range v.Poses {
		if p.From != "" {
			fmt.Fprintf(w, "pose     computed by the filter from %s, %d messages\n", p.From, p.Topic.Count)
		} else {
			fmt.Fprintf(w, "pose     %s (%s), %d messages\n", p.Topic.Name, p.Topic.Type, p.Topic.Count)
		}
		for _, frame := range slices.Sorted(maps.Keys(p.Frames)) {
			fmt.Fprintf(w, "         frame %q: %d messages\n", frame, p.Frames[frame])
		}
		fmt.Fprintf(w, "         %d usable; covariances: %d all zero, %d NaN, negative or not positive semi-definite, %d asymmetric; %d without a valid position or orientation\n",
			p.Used, p.ZeroCovariance, p.InvalidCovariance, p.Asymmetric, p.Unusable)
		if p.Refusal != "" {
			fmt.Fprintf(w, "         reason of the last refusal: %s\n", p.Refusal)
		}
		if p.Used > 0 {
			d := p.Deviation
			fmt.Fprintf(w, "         standard deviation of the position in its least certain direction: minimum %s, 5 %% %s, median %s, 95 %% %s, maximum %s m\n",
				figure(d[0]), figure(d[1]), figure(d[2]), figure(d[3]), figure(d[4]))
			fmt.Fprintf(w, "         time between stamps: median %s, 95 %% %s, maximum %s s; %d go back; difference from the record time: median %s, maximum %s s\n",
				figure(p.Period[0]), figure(p.Period[1]), figure(p.Period[2]), p.Back, figure(p.Age[0]), figure(p.Age[1]))
			fmt.Fprintf(w, "         %.0f m driven%s\n", p.Metres, speeds(p))
		}
	}
	for _, r := range v.Readings {
		fmt.Fprintf(w, "reading  %s (%s), %d messages\n", r.Topic.Name, r.Topic.Type, r.Topic.Count)
		fmt.Fprintf(w, "         from %s to %s, mean %s, %d not finite; %d with a stamp, %d with a variance; standard deviation estimated from successive readings: %s\n",
			significantOr(r.Least), significantOr(r.Most), significantOr(r.Mean), r.Odd, r.Stamped, r.Stated, figure(r.Spread))
	}
	for _, m := range v.Matches {
		pose := m.Pose
		if i := slices.IndexFunc(v.Poses, func(p replay.PoseCheck) bool { return p.Topic.Name == m.Pose }); v.Poses[i].From != "" {
			pose = "the filter's poses"
		}
		fmt.Fprintf(w, "match    %s on %s: %d readings (%.1f %%) have a pose, %d of them the nearest pose without interpolation\n", m.Reading, pose, m.Counts.Matched, 100*m.Share, m.Counts.Held)
	}
	truth := "none: the bag has no /ground_truth/odom"
	if v.Truth != "" {
		truth = v.Truth + ": the report will show how often it lies inside the 2σ ellipses"
	}
	fmt.Fprintf(w, "truth    %s\n", truth)
	for _, l := range v.Levers {
		fmt.Fprintf(w, "fixed    %s; set probe.x and probe.y to the position of the probe\n", l)
	}
	if v.Note != "" {
		fmt.Fprintf(w, "note     %s\n", v.Note)
	}
	printProblems(w, v.Problems, v.Lost, "No problems were found with these topics; ugp bag info examines all of them.")
}

func significantOr(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return significant(v, 4)
}

// speeds describes how the robot's speed is found if the messages do not state it.
func speeds(p replay.PoseCheck) string {
	switch {
	case !p.HasTwist:
		return "; the type has no speed: it is estimated from the positions"
	case !p.Speeds:
		return "; no message states a speed: it is estimated from the positions"
	}
	return ""
}
