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

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/ros/param"
)

type bagCommand struct {
	Info  bagInfoCommand  `cmd:"" help:"What a bag holds: topics, types, counts, rates, gaps, and what is wrong with it."`
	Check bagCheckCommand `cmd:"" help:"Would this bag do for ugp replay? Exit code 0: yes, 1: no."`
}

type bagInfoCommand struct {
	Bag string `arg:"" help:"A rosbag2 bag: its folder, one of its files, or the folder of a mission with its bags." type:"path"`
}

// Run reads the whole bag and prints what it holds.
func (c *bagInfoCommand) Run(t terminal) error {
	src, err := replay.Open(c.Bag)
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
	printBag(t.out, src)
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "topic\ttype\tmessages\tHz\tlongest gap\tbytes\tstamps older than record time\n")
	for _, i := range inv.Topics {
		typ := i.Type
		switch {
		case typ == "":
			typ = "unknown"
		case !i.Known:
			typ += " (not known here)"
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
	printProblems(t.out, append(problems, inv.Problems...), lost+inv.Lost)
	return nil
}

// printBag says what and how long a bag is.
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
		format := "no metadata.yaml"
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

func printProblems(w io.Writer, problems []string, lost int64) {
	if len(problems) == 0 {
		fmt.Fprintln(w, "\nNo problems were found.")
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

// instant writes a record time; times of a simulation, and of a clock that was not
// set, are no dates.
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

// figure writes a number, or a dash for one that is not known.
func figure(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return fmt.Sprintf("%.3g", v)
}

// bagFlags are those by which a bag's topics and the explorer's rules are given.
type bagFlags struct {
	Bag          string   `arg:"" help:"A rosbag2 bag: its folder, one of its files, or the folder of a mission with its bags." type:"path"`
	PoseTopic    string   `group:"bag" help:"Topic with the poses, nav_msgs/Odometry or geometry_msgs/PoseWithCovarianceStamped. Without it the topic that the explorer listens to, or the only one." placeholder:"TOPIC"`
	ReadingTopic string   `group:"bag" help:"Topic with the readings. Without it /reading, or the only one of a type that the explorer takes." placeholder:"TOPIC"`
	Config       string   `group:"run" help:"Parameters of the explorer as a ROS YAML file. Flags that are given win over it." type:"path" placeholder:"FILE"`
	Param        []string `group:"run" short:"p" sep:"none" help:"A parameter of the explorer, as ros2 run has it; may be given several times." placeholder:"NAME:=VALUE"`
}

// overrides returns the parameters that were given.
func (c *bagFlags) overrides() (*param.Overrides, error) {
	o := &param.Overrides{}
	if c.Config != "" {
		if err := o.AddFile(c.Config); err != nil {
			return nil, badInput{fmt.Errorf("--config: %w", err)}
		}
	}
	for _, p := range c.Param {
		name, value, _ := strings.Cut(p, ":=")
		if strings.Contains(name, ":") {
			return nil, badInput{fmt.Errorf("-p is %q: want a parameter of the explorer, NAME:=VALUE", p)}
		}
		if err := assign(o, explorer.DefaultName+":"+name+":="+value); err != nil {
			return nil, err
		}
	}
	return o, nil
}

type bagCheckCommand struct {
	bagFlags `embed:""`
}

// errUnusable is what check ends with for a bag that would not do: it has been said
// why.
var errUnusable = errors.New("the bag would not do for a replay")

// Run reads poses and readings by the explorer's rules and says what it found.
func (c *bagCheckCommand) Run(t terminal) error {
	overrides, err := c.overrides()
	if err != nil {
		return err
	}
	cfg := replay.DefaultConfig()
	cfg.Pose, cfg.Reading = c.PoseTopic, c.ReadingTopic
	src, err := replay.Open(c.Bag)
	if err != nil {
		return badInput{err}
	}
	defer src.Close()
	looking := newShareProgress(t, "reading")
	v, err := replay.Check(src, &cfg, overrides, func(share float64) error { looking.update(share); return t.ctx.Err() })
	looking.finish()
	switch {
	case t.ctx.Err() != nil:
		return context.Cause(t.ctx)
	case err != nil:
		return badInput{err}
	}
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
		fmt.Fprintf(w, "pose     %s (%s), %d messages\n", p.Topic.Name, p.Topic.Type, p.Topic.Count)
		for _, frame := range slices.Sorted(maps.Keys(p.Frames)) {
			fmt.Fprintf(w, "         frame %q: %d messages\n", frame, p.Frames[frame])
		}
		fmt.Fprintf(w, "         %d can be used; covariances: %d all zero, %d NaN, negative or not positive semi-definite, %d asymmetric; %d without a place or an orientation\n",
			p.Used, p.ZeroCovariance, p.InvalidCovariance, p.Asymmetric, p.Unusable)
		if p.Refusal != "" {
			fmt.Fprintf(w, "         the last that cannot: %s\n", p.Refusal)
		}
		if p.Used > 0 {
			d := p.Deviation
			fmt.Fprintf(w, "         deviation of the place, in its least certain direction: least %s, 5 %% %s, median %s, 95 %% %s, greatest %s m\n",
				figure(d[0]), figure(d[1]), figure(d[2]), figure(d[3]), figure(d[4]))
			fmt.Fprintf(w, "         time between stamps: median %s, 95 %% %s, longest %s s; %d go back; away from record time: median %s, most %s s\n",
				figure(p.Period[0]), figure(p.Period[1]), figure(p.Period[2]), p.Back, figure(p.Age[0]), figure(p.Age[1]))
			fmt.Fprintf(w, "         %.0f m of way%s\n", p.Metres, speeds(p))
		}
	}
	for _, r := range v.Readings {
		fmt.Fprintf(w, "reading  %s (%s), %d messages\n", r.Topic.Name, r.Topic.Type, r.Topic.Count)
		fmt.Fprintf(w, "         from %s to %s, mean %s, %d not finite; %d have a stamp, %d state a variance; successive ones differ as those of deviation %s do\n",
			significantOr(r.Least), significantOr(r.Most), significantOr(r.Mean), r.Odd, r.Stamped, r.Stated, figure(r.Spread))
	}
	for _, m := range v.Matches {
		fmt.Fprintf(w, "match    %s on %s: %d readings (%.1f %%) find their pose, %d of them a pose that is held\n", m.Reading, m.Pose, m.Counts.Matched, 100*m.Share, m.Counts.Held)
	}
	truth := "none: the bag has no /ground_truth/odom"
	if v.Truth != "" {
		truth = v.Truth + ": the report will say how often it lies in the 2σ ellipses"
	}
	fmt.Fprintf(w, "truth    %s\n", truth)
	for _, l := range v.Levers {
		fmt.Fprintf(w, "fixed    %s; probe.x and probe.y are the probe's place\n", l)
	}
	if v.Note != "" {
		fmt.Fprintf(w, "note     %s\n", v.Note)
	}
	printProblems(w, v.Problems, v.Lost)
}

func significantOr(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return significant(v, 4)
}

// speeds says what is known of the robot's speed.
func speeds(p replay.PoseCheck) string {
	switch {
	case !p.HasTwist:
		return "; the type has no speed: it is told from the places"
	case !p.Speeds:
		return "; no message states a speed: it is told from the places"
	}
	return ""
}
