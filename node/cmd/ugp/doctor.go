// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ugp_explorer/node/doctor"
	"ugp_explorer/node/process"
)

type doctorCommand struct {
	Field      string   `help:"GeoJSON outline of the field; as -p field.file:=FILE." type:"path" placeholder:"FILE"`
	Datum      lonLat   `help:"Longitude and latitude of the map's origin in degrees; as -p field.datum:=[LON, LAT]." placeholder:"LON,LAT"`
	ParamsFile []string `help:"Parameter file of the mission; may be given several times." type:"path" placeholder:"FILE" sep:"none"`
	OutputDir  string   `help:"Folder to which the mission will be written; as -p output_dir:=DIR." type:"path" placeholder:"DIR"`
	Wait       seconds  `help:"Time to watch the graph, such as 9s (9)." default:"9" from:"7" to:"600" placeholder:"S"`
	Arguments  []string `arg:"" optional:"" passthrough:"" help:"More ROS arguments of the explorer, for example: -- --ros-args -r reading:=soil/moisture -p reading.type:=Float64."`
}

// Run examines machine, graph, parameters and field, and prints a line for each finding.
func (c *doctorCommand) Run(t terminal) error {
	args := []string{"--ros-args"}
	for _, file := range c.ParamsFile {
		args = append(args, "--params-file", file)
	}
	for _, p := range []struct{ name, value string }{{"field.file", c.Field}, {"output_dir", c.OutputDir}} {
		if p.value != "" {
			args = append(args, "-p", fmt.Sprintf("%s:=%q", p.name, p.value))
		}
	}
	if c.Datum.text != "" {
		args = append(args, "-p", fmt.Sprintf("field.datum:=[%s, %s]", double(c.Datum.at[0]), double(c.Datum.at[1])))
	}
	args = append(append(args, "--"), slices.DeleteFunc(c.Arguments, func(a string) bool { return a == "--" })...)
	fmt.Fprintf(t.err, "Examining machine, parameters and field, and the graph for %g s.\n", c.Wait)
	found, err := doctor.Examine(t.ctx, doctor.Options{
		Args: args, Wait: time.Duration(float64(c.Wait) * float64(time.Second)), OpenTransport: process.OpenTransport,
	})
	if err != nil {
		if t.ctx.Err() != nil {
			return t.ctx.Err()
		}
		return badInput{err}
	}
	problems := 0
	w := tabwriter.NewWriter(shown{t.out}, 0, 0, 2, ' ', 0)
	for _, f := range found {
		if f.Verdict == doctor.Bad {
			problems++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Verdict, f.Subject, process.Plain(strings.ReplaceAll(strings.TrimSpace(f.Text), "\n", "; ")))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if problems > 0 {
		bad := "the line marked bad"
		if problems > 1 {
			bad = fmt.Sprintf("the %d lines marked bad", problems)
		}
		fmt.Fprintf(t.out, "A mission cannot start: see %s.\n", bad)
		return errAnsweredNo
	}
	fmt.Fprintln(t.out, "A mission can start.")
	return nil
}

// errAnsweredNo is the error of a check that found something. It has been printed already.
var errAnsweredNo = errors.New("the answer is no")
