// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner"
)

type replayCommand struct {
	poseFlags      `embed:""`
	ReadingTopic   string   `group:"bag" help:"Topic of the readings. Default: /reading, or the bag's only topic of a type that the explorer supports." placeholder:"TOPIC"`
	SecondaryTopic string   `group:"bag" help:"Topic of the readings of a second sensor, which the model uses to predict the others. Default: /secondary, if the bag has it." placeholder:"TOPIC"`
	TruthTopic     string   `group:"bag" help:"Topic of the true poses, nav_msgs/Odometry (/ground_truth/odom, if the bag has it)." placeholder:"TOPIC"`
	Field          string   `group:"field" help:"GeoJSON outline of the field, with holes and keep-outs, in degrees or metres. Default: the convex hull of the driven path with a margin." type:"path" placeholder:"FILE"`
	Datum          lonLat   `group:"field" help:"Longitude and latitude of the map's origin in degrees; needed if --field is in degrees and the bag has poses. If the bag has only fixes, the default is the centre of --field or, without --field, the first fix." placeholder:"LON,LAT"`
	Covariate      []string `group:"field" sep:"none" help:"Covariate raster, such as soil conductivity or last year's map: GeoTIFF with one band, or points in CSV; can be repeated. The bag is replayed a second time without rasters, to show what they change." type:"path" placeholder:"FILE"`
	Topics         bool     `group:"bag" help:"Only list the topics of the bag and the use of each."`
	Start          seconds  `group:"bag" help:"Start of the replay after the first message, such as 90s or 2min (0)." from:"0" to:"1e9" placeholder:"S"`
	Duration       seconds  `group:"bag" help:"Duration of the replay in the bag's time, such as 10min (to its end)." from:"0.001" to:"1e9" placeholder:"S"`
	Method         string   `group:"mission" help:"Method that suggests goals (ugp-ucb): ${methodHelp}." placeholder:"NAME"`
	Seed           int      `group:"mission" help:"Seed of the search; the same seed and bag give the same record (0)." from:"0" to:"2147483647" placeholder:"N"`
	Out            string   `group:"run" help:"Folder for mission.json and report.html (out/replay)." default:"out/replay" type:"path" placeholder:"DIR"`
	Verbose        bool     `group:"run" short:"v" help:"Show the explorer's log."`
}

// Run replays a bag and prints the result.
func (c *replayCommand) Run(t terminal) error {
	t.out = shown{t.out}
	if c.Topics {
		return c.list(t)
	}
	cfg, o, err := c.read()
	if err != nil {
		return err
	}
	t.doubts(o)
	opts := replay.Options{Parameters: o}
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
	if c.Datum.text != "" && c.Field == "" && !src.Filters(&cfg) {
		return badInput{fmt.Errorf("--datum is %q, but there is neither a --field nor a filter to which it applies: the bag has poses; leave --datum out", c.Datum.text)}
	}
	if c.Verbose {
		opts.Log = ros.NewConsole(t.err)
	}
	var replaying *progress
	opts.Replaying = func(share float64) { replaying.share("replaying", share) }
	var r *replay.Replay
	if err := survey(t, "reading the path", func(looking func(float64) error) (err error) {
		opts.Looking = looking
		r, err = replay.New(src, &cfg, opts)
		if errors.Is(err, replay.ErrOrigin) && c.Datum.suggested(err) {
			fmt.Fprintf(t.out, "The origin of the map (--datum) is %s, longitude and latitude.\n", c.Datum.text)
			if cfg, opts.Parameters, err = c.read(); err == nil {
				r, err = replay.New(src, &cfg, opts)
			}
		}
		return src.Explain(err)
	}); err != nil {
		return err
	}
	defer r.Close()
	for _, note := range r.Source().Notes {
		fmt.Fprintf(t.out, "Note: %s.\n", note)
	}
	replaying = newProgress(t)
	err = r.Run(t.ctx)
	replaying.finish()
	record := r.Explorer().Record()
	if len(record.Observations) == 0 {
		if err == nil {
			err = badInput{src.Explain(r.Empty())}
		}
		return err
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(t.out, "Interrupted: the results so far are saved.")
	} else if err != nil {
		return err
	}
	tell(t, r)
	if len(c.Covariate) > 0 && err == nil {
		without, err := c.without(t)
		if err != nil {
			return err
		}
		fmt.Fprintf(t.out, "Without the rasters, the answer would be:\n%sWith the rasters:\n", without.Lines())
	}
	summarise(t, record, r.Explorer().Answer(), c.Out, true)
	return err
}

// tell prints what was replayed, and what is wrong with it.
func tell(t terminal, r *replay.Replay) {
	from := r.Source()
	second := ""
	if from.Secondary != "" {
		second = ", the second sensor on " + from.Secondary
	}
	fmt.Fprintf(t.out, "Replayed %d messages of %s: poses on %s, readings on %s%s.\n", from.Messages, from.Bag, from.Pose, from.Reading, second)
	for _, p := range from.Problems {
		fmt.Fprintf(t.out, "Problem: %s.\n", p)
	}
	if from.Lost > 0 {
		fmt.Fprintf(t.out, "At least %d bytes of the bag are lost; the rest was replayed.\n", from.Lost)
	}
	if why := r.Unused(); why != "" {
		fmt.Fprintf(t.out, "Problem: many readings belong to no sample: %s.\n", why)
	}
	if k := r.Explorer().Record().Consistency; k != nil {
		fmt.Fprintf(t.out, "The true place was inside the 2σ ellipse for %d of %d readings, %.1f %% (86.5 %% is consistent).\n", k.Inside, k.Readings, 100*float64(k.Inside)/float64(k.Readings))
	}
}

// list prints the topics of the bag.
func (c *replayCommand) list(t terminal) error {
	src, err := replay.Open(t.ctx, c.Bag)
	if err != nil {
		return badInput{err}
	}
	defer src.Close()
	fmt.Fprintf(t.out, "%s has %d messages in %.6g s.\n", src.Path, src.Count, src.Duration().Seconds())
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "topic\ttype\tmessages\tuse\n")
	for _, topic := range src.Topics {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", strings.ReplaceAll(topic.Name, "\t", " "), strings.ReplaceAll(topic.Type, "\t", " "), topic.Count, replay.Use(topic))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	problems, _ := src.ReadingProblems()
	for _, p := range problems {
		fmt.Fprintf(t.out, "Problem: %s.\n", p)
	}
	return nil
}

// without replays the bag once more without the rasters, and returns the answer. It writes nothing.
func (c replayCommand) without(t terminal) (answer record.Answer, err error) {
	c.Covariate, c.Out = nil, ""
	cfg, o, err := c.read()
	if err != nil {
		return answer, err
	}
	src, err := replay.Open(t.ctx, c.Bag)
	if err != nil {
		return answer, err
	}
	defer src.Close()
	replaying := newProgress(t)
	r, err := replay.New(src, &cfg, replay.Options{Parameters: o, Replaying: func(share float64) { replaying.share("without the rasters", share) }})
	if err != nil {
		return answer, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	err = r.Run(t.ctx)
	replaying.finish()
	return r.Explorer().Answer(), err
}

// read returns what the flags say about the bag and the explorer.
func (c *replayCommand) read() (replay.Config, *param.Overrides, error) {
	var flags given
	fail := func(err error) (replay.Config, *param.Overrides, error) { return replay.Config{}, nil, err }
	if err := checkOutline(c.Field); err != nil {
		return fail(err)
	}
	file, _ := record.SplitName(c.Field)
	if _, err := os.Stat(file); err != nil && c.Field != "" {
		return fail(badInput{fmt.Errorf("--field: %w", err)})
	}
	if c.Method != "" {
		if err := method("--method", c.Method, planner.Robot()); err != nil {
			return fail(err)
		}
	}
	flags.set(explorer.DefaultName, "field.file", c.Field)
	flags.set(explorer.DefaultName, "field.datum", c.Datum)
	flags.set(explorer.DefaultName, "covariates", c.Covariate)
	flags.set(explorer.DefaultName, "method", c.Method)
	flags.set(explorer.DefaultName, "seed", c.Seed)
	flags.set(explorer.DefaultName, "output_dir", &c.Out)
	cfg, o, err := c.poseFlags.read(flags)
	cfg.Secondary = c.SecondaryTopic
	cfg.Reading, cfg.Truth, cfg.Start, cfg.Duration = c.ReadingTopic, c.TruthTopic, float64(c.Start), float64(c.Duration)
	return cfg, o, err
}
