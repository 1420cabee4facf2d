package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
)

type replayCommand struct {
	bagFlags   `embed:""`
	TruthTopic string `group:"bag" help:"Topic of the true poses, nav_msgs/Odometry (/ground_truth/odom, if the bag has it)." placeholder:"TOPIC"`
	Field      string `group:"field" help:"GeoJSON outline of the field, with holes and keep-outs, in metres or, with --datum, in degrees. Default: the convex hull of the driven path with a margin." type:"path" placeholder:"FILE"`
	Datum      word   `group:"field" help:"Longitude and latitude of the map's origin in degrees; needed if --field is in degrees, and used by the filter for fixes of type NavSatFix." placeholder:"LON,LAT"`
	Start      word   `group:"bag" help:"Start of the replay, in seconds after the first message (0)." placeholder:"S"`
	Duration   word   `group:"bag" help:"Duration of the replay in seconds of the bag (to its end)." placeholder:"S"`
	Method     string `group:"mission" help:"Method that suggests goals (ugp-ucb): ${methodHelp}." placeholder:"NAME"`
	Seed       word   `group:"mission" help:"Seed of the search; the same seed and bag give the same record (0)." placeholder:"N"`
	Out        string `group:"run" help:"Folder for mission.json, report.html and the pictures (out/replay)." default:"out/replay" type:"path" placeholder:"DIR"`
	Verbose    bool   `group:"run" short:"v" help:"Show the explorer's log."`
}

// Run replays a bag and prints the result.
func (c *replayCommand) Run(t terminal) error {
	t.out = shown{t.out}
	cfg := replay.DefaultConfig()
	opts := replay.Options{}
	if err := c.read(&cfg, &opts); err != nil {
		return err
	}
	if err := writable(c.Out); err != nil {
		return err
	}
	if err := unrecorded(c.Out, func(record.Settings) bool { return false }); err != nil {
		return err
	}
	src, err := replay.Open(t.ctx, c.Bag)
	if err != nil {
		return badInput{err}
	}
	defer src.Close()
	if c.Datum != "" && c.Field == "" && !src.Filters(&cfg) {
		return badInput{fmt.Errorf("--datum is %q, but there is neither a --field that it applies to nor a filter: the bag has poses", string(c.Datum))}
	}
	if c.Verbose {
		opts.Log = ros.NewConsole(t.err)
	}
	looking := newShareProgress(t, "reading the path")
	opts.Looking = func(share float64) error { looking.update(share); return t.ctx.Err() }
	var replaying *shareProgress
	opts.Replaying = func(share float64) { replaying.update(share) }
	r, err := replay.New(src, &cfg, opts)
	looking.finish()
	if err != nil {
		if t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
		return badInput{err}
	}
	defer r.Close()
	for _, note := range r.Source().Notes {
		fmt.Fprintf(t.out, "Note: %s.\n", note)
	}
	replaying = newShareProgress(t, "replaying")
	err = r.Run(t.ctx)
	replaying.finish()
	record := r.Explorer().Record()
	if len(record.Observations) == 0 {
		if err == nil {
			err = badInput{r.Empty()}
		}
		return err
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(t.out, "Interrupted: the results so far are saved.")
	} else if err != nil {
		return err
	}
	from := r.Source()
	fmt.Fprintf(t.out, "Replayed %d messages of %s: poses on %s, readings on %s.\n", from.Messages, from.Bag, from.Pose, from.Reading)
	for _, p := range from.Problems {
		fmt.Fprintf(t.out, "Problem: %s.\n", p)
	}
	if from.Lost > 0 {
		fmt.Fprintf(t.out, "%d bytes of the bag are known to be lost; the rest was replayed.\n", from.Lost)
	}
	if why := r.Unused(); why != "" {
		fmt.Fprintf(t.out, "Problem: many readings are in no sample: %s.\n", why)
	}
	if k := record.Consistency; k != nil {
		fmt.Fprintf(t.out, "The true place was inside the 2σ ellipse for %d of %d readings, %.1f %% (86.5 %% is consistent).\n", k.Inside, k.Readings, 100*float64(k.Inside)/float64(k.Readings))
	}
	summarise(t, record, c.Out, true)
	return err
}

// read reads the parameter file and the flags.
func (c *replayCommand) read(cfg *replay.Config, opts *replay.Options) error {
	o, err := c.overrides()
	if err != nil {
		return err
	}
	if err := checkOutline(c.Field); err != nil {
		return err
	}
	var set []string
	if c.Field != "" {
		if _, err := os.Stat(c.Field); err != nil {
			return badInput{fmt.Errorf("--field: %w", err)}
		}
		set = append(set, fmt.Sprintf("field.file:=%q", c.Field))
	}
	if c.Datum != "" {
		at, err := c.Datum.place("--datum")
		if err != nil {
			return err
		}
		set = append(set, fmt.Sprintf("field.datum:=[%s, %s]", double(at[0]), double(at[1])))
	}
	if c.Method != "" {
		if err := method("--method", c.Method, planner.Robot()); err != nil {
			return err
		}
		set = append(set, "method:="+c.Method)
	}
	if c.Seed != "" {
		seed, err := c.Seed.number("--seed", 0, math.MaxInt32)
		if err != nil {
			return err
		}
		set = append(set, fmt.Sprintf("seed:=%d", seed))
	}
	set = append(set, fmt.Sprintf("output_dir:=%q", c.Out))
	for _, rule := range set {
		if err := assign(o, explorer.DefaultName+":"+rule); err != nil {
			return err
		}
	}
	const longest = 1e9 // s
	if c.Start != "" {
		if cfg.Start, err = c.Start.float("--start", 0, longest); err != nil {
			return err
		}
	}
	if c.Duration != "" {
		if cfg.Duration, err = c.Duration.float("--duration", 1e-3, longest); err != nil {
			return err
		}
	}
	c.choose(cfg)
	cfg.Truth = c.TruthTopic
	opts.Parameters = o
	return nil
}
