// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/replay"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/outline"
)

type outlineCommand struct {
	poseFlags `embed:""`
	From      seconds  `group:"field" help:"Start of the drive along the edge after the bag's first message, such as 90s (0)." from:"0" to:"1e9" placeholder:"S"`
	To        *seconds `group:"field" help:"End of the drive along the edge after the bag's first message, such as 10min (its end)." from:"0" to:"1e9" placeholder:"S"`
	KeepOut   []period `group:"field" sep:"none" from:"0" to:"1e9" help:"Start and end of a drive around a place that the robot must not enter, such as 11min,12min; can be repeated." placeholder:"FROM,TO"`
	Offset    metres   `group:"field" help:"Distance of the edge beside the robot's base in metres, positive to its left, negative to its right (0: the robot drives on the edge)." from:"-100" to:"100" placeholder:"M"`
	MaxStdDev metres   `name:"max-stddev" group:"field" help:"Poses with a larger standard deviation are refused, in metres (1)." default:"1" from:"0.001" to:"100" placeholder:"M"`
	MaxGap    metres   `group:"field" help:"Longest straight line in metres that may replace a stretch without usable poses (5)." default:"5" from:"0.001" to:"10000" placeholder:"M"`
	Datum     lonLat   `group:"field" help:"Longitude and latitude of the map's origin in degrees; with it, the file is in degrees. The filter uses it, too." placeholder:"LON,LAT"`
	Out       string   `group:"run" help:"GeoJSON file for the outline. An existing file is kept, with .bak added to its name." type:"path" required:"" placeholder:"FILE"`
}

// Help returns the second part of the command's help.
func (outlineCommand) Help() string {
	return `Reads a bag that was recorded while a robot was driven along the edge of a field, and uses its poses, or those that our filter computes from wheel odometry and NavSatFix, or the fixes alone. Writes the field as GeoJSON, with the standard deviation of its edge, for field.file of the explorer.`
}

// part is the part of a bag in which the robot drives along one ring.
type part struct {
	kind     outline.Kind
	name     string
	from, to float64 // s
}

// Run makes the outline and prints what it is made of.
func (c *outlineCommand) Run(t terminal) error {
	var datum given
	datum.set(explorer.DefaultName, "field.datum", c.Datum)
	cfg, o, err := c.read(datum)
	if err != nil {
		return err
	}
	t.doubts(o)
	main := part{kind: outline.Boundary, name: "the outline", from: float64(c.From), to: math.Inf(1)}
	if c.To != nil {
		main.to = float64(*c.To)
	}
	if !(main.from < main.to) {
		return badInput{fmt.Errorf("--from is %g s and --to is %g s: want an end after the start", main.from, main.to)}
	}
	parts := []part{main}
	for i, k := range c.KeepOut {
		parts = append(parts, part{outline.KeepOut, fmt.Sprintf("keep-out %d", i+1), k.at[0], k.at[1]})
	}
	rules := outline.DefaultConfig()
	rules.Offset, rules.MaxStdDev, rules.MaxGap = float64(c.Offset), float64(c.MaxStdDev), float64(c.MaxGap)
	if info, err := os.Stat(c.Out); err == nil && info.IsDir() {
		return badInput{fmt.Errorf("--out is %s, a folder: want the name of a file", c.Out)}
	}
	if err := writable(filepath.Dir(c.Out)); err != nil {
		return err
	}
	src, err := replay.Open(t.ctx, c.Bag)
	if err != nil {
		return badInput{err}
	}
	defer src.Close()
	var drive *replay.Drive
	if err := survey(t, "reading", func(looking func(float64) error) (err error) {
		drive, err = replay.ReadDrive(src, &cfg, replay.Options{Parameters: o, Looking: looking})
		return src.Explain(err)
	}); err != nil {
		return err
	}
	recorder := outline.New(rules)
	report := &strings.Builder{}
	for _, p := range parts {
		if err := recordRing(recorder, p, drive, src.Duration().Seconds(), report, rules.MaxStdDev); err != nil {
			if p.kind == outline.KeepOut {
				err = fmt.Errorf("%s: %w", p.name, err)
			}
			return badInput{err}
		}
	}
	f, err := recorder.Field()
	if err != nil {
		return badInput{err}
	}
	backup, err := convert.WriteBoundary(c.Out, f, drive.Datum)
	if err != nil {
		return err
	}
	for _, note := range drive.Notes {
		fmt.Fprintf(t.out, "Note: %s.\n", note)
	}
	for _, p := range drive.Problems {
		fmt.Fprintf(t.out, "Problem: %s.\n", p)
	}
	fmt.Fprintf(t.out, "Poses on %s in the frame %q.\n", drive.From, drive.Frame)
	if drive.Refused != "" {
		fmt.Fprintf(t.out, "Poses that the explorer would not use are left out: %s.\n", drive.Refused)
	}
	fmt.Fprint(t.out, report)
	c.conclude(t.out, f, drive, backup)
	return nil
}

// recordRing records one ring and describes it.
func recordRing(r *outline.Recorder, p part, drive *replay.Drive, length float64, w io.Writer, limit float64) error {
	if p.from > length {
		return fmt.Errorf("the drive starts at %g s, and the bag is %.6g s long", p.from, length)
	}
	if err := r.Begin(p.kind); err != nil {
		return err
	}
	times := map[int64]float64{} // s, by stamp
	for i := range drive.Poses {
		pose := &drive.Poses[i]
		if pose.At < p.from || pose.At > p.to {
			continue
		}
		times[pose.Stamp] = pose.At
		if _, err := r.Drive(pose.Pose); err != nil && !errors.As(err, new(*outline.PoseError)) {
			return err
		}
	}
	if len(times) == 0 {
		return fmt.Errorf("the bag has no usable pose from %g s to %g s", p.from, min(p.to, length))
	}
	ring, err := r.Close()
	var crossings *outline.CrossingsError
	var gaps *outline.GapError
	switch {
	case errors.As(err, &crossings):
		list := make([]string, len(crossings.Crossings))
		for i, c := range crossings.Crossings {
			list[i] = fmt.Sprintf("%.1f and %.1f s", times[c.First], times[c.Second])
		}
		return fmt.Errorf("%w; the robot passed there at %s: choose another part of the bag with --from and --to", err, some(list))
	case errors.As(err, &gaps):
		list := make([]string, len(gaps.Gaps))
		for i, g := range gaps.Gaps {
			list[i] = fmt.Sprintf("%.1f m from %.1f s to %.1f s%s", g.Length, times[g.First], times[g.Last], refusal(&g, limit))
		}
		return fmt.Errorf("%d gaps longer than %g m have no usable pose: %s; allow less certain poses with --max-stddev or longer gaps with --max-gap, or choose another part of the bag", len(list), gaps.Limit, some(list))
	case err != nil:
		return err
	}
	printRing(w, p, &ring, times, limit)
	return nil
}

// some joins the first few of a list.
func some(list []string) string {
	const most = 5
	if len(list) > most {
		list = append(list[:most:most], "…")
	}
	return strings.Join(list, "; ")
}

// printRing prints a ring.
func printRing(w io.Writer, p part, r *outline.Ring, times map[int64]float64, limit float64) {
	fmt.Fprintf(w, "%s: %v (2σ: %.2g m); %d points were simplified within %.2g m.\n", p.name, r, 2*r.StdDev, r.Collected, r.Tolerance)
	if r.Overlap > 0 {
		fmt.Fprintf(w, "  %.1f m of the drive overlap its beginning and are left out.\n", r.Overlap)
	}
	if r.Gap > 1 {
		fmt.Fprintf(w, "  A straight line of %.1f m from the end of the drive to its start closes the ring.\n", r.Gap)
	}
	if r.Loops > 0 {
		fmt.Fprintf(w, "  %s cut: the path crossed itself within the uncertainty of the poses, the spacing of points or the offset.\n", num.Count(r.Loops, "small loop"))
	}
	for _, s := range r.Refused {
		fmt.Fprintf(w, "  From %.1f s to %.1f s no pose was used", times[s.First], times[s.Last])
		fmt.Fprint(w, refusal(&s, limit))
		if s.Length > 0 {
			fmt.Fprintf(w, "; a straight line of %.1f m replaces that stretch", s.Length)
		}
		fmt.Fprintln(w, ".")
	}
}

// refusal says why poses of a stretch were refused.
func refusal(s *outline.Stretch, limit float64) (text string) {
	if s.Poses > s.Headings {
		text = fmt.Sprintf(": %s refused, with standard deviations up to %.2g m (limit %g m)", num.Count(s.Poses-s.Headings, "pose"), s.StdDev, limit)
	}
	if s.Headings > 0 {
		text += fmt.Sprintf(": %s refused, with an unknown heading, which the offset needs", num.Count(s.Headings, "pose"))
	}
	return text
}

// conclude prints what was written and how it is used.
func (c *outlineCommand) conclude(w io.Writer, f field.Field, drive *replay.Drive, backup string) {
	coordinates, use := fmt.Sprintf("metres of the frame %q", drive.Frame), ""
	if d := drive.Datum; d != nil {
		coordinates = fmt.Sprintf("degrees; the datum is %.9g,%.9g", d.Lon, d.Lat)
		if drive.FirstFix {
			coordinates += ", the first fix"
		}
		use = fmt.Sprintf(" datum:=%.9g,%.9g", d.Lon, d.Lat)
	}
	fmt.Fprintf(w, "Wrote %s in %s.\n", c.Out, coordinates)
	if backup != "" {
		fmt.Fprintf(w, "The earlier file is now %s.\n", backup)
	}
	fmt.Fprintf(w, "The explorer adds %.2g m, 2σ of the edge, to field.margin. Use it with: ros2 launch launch/explore.launch.py field:=%s%s\n", 2*f.StdDev, c.Out, use)
}
