// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"errors"
	"os"
	"slices"
	"strings"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/param"
)

// parameterTopic is the topic on which a mission's bags contain its parameters.
const parameterTopic = "/parameter_events"

// notReplayed are the parameters of a mission that its replay does not use: output files
// and how the mission starts.
var notReplayed = []string{
	"passive", "auto_start", "auto_resume", "output_dir", "existing_mission", "record.topics", "record.limit", "ground_truth", "use_sim_time",
}

// parameters returns the parameters recorded in the bag, if it is of a mission, overridden
// by the given ones, and a note about the recorded ones. cfg is not changed.
func parameters(src *Source, given *param.Overrides, cfg *Config) (o *param.Overrides, note string, err error) {
	o = &param.Overrides{}
	own, err := recorded(src, cfg)
	switch {
	case err != nil:
		note = "the parameters of the mission in the bag cannot be used: " + err.Error()
	case own != nil:
		note = "the parameters are those of the mission in the bag, except those given"
		o.Add(own)
	}
	o.Add(given)
	// A file may have the parameters of the other nodes of a simulation, too.
	return o, note, errors.Join(o.Unmatched("/"+explorer.DefaultName, "/"+ekf.DefaultName, "/"+follower.DefaultName, "/"+guard.DefaultName, "/"+fieldsim.DefaultName)...)
}

// recorded returns the explorer's parameters that are recorded in the bag, or nil if there
// are none.
func recorded(src *Source, cfg *Config) (*param.Overrides, error) {
	t, ok := src.topic(parameterTopic)
	if !ok || t.Type != (&rcl_interfaces.ParameterEvent{}).TypeName() {
		return nil, nil
	}
	scratch := *cfg
	known := scratch.Explorer.Parameters().Names()
	values := map[string]param.Value{}
	for m, err := range src.missionMessages(bag.Query{Topics: []string{parameterTopic}}) {
		if errors.As(err, new(*bag.Problem)) {
			continue // reading the rest of the bag reports the error again
		}
		if err != nil {
			return nil, err
		}
		var e rcl_interfaces.ParameterEvent
		if e.UnmarshalCDR(m.Data) != nil || !strings.HasSuffix(e.Node, "/"+explorer.DefaultName) {
			continue
		}
		for _, p := range slices.Concat(e.NewParameters, e.ChangedParameters) {
			if v := param.ValueOf(&p.Value); v.Any() == nil { // the node chooses it
				delete(values, p.Name)
			} else if slices.Contains(known, p.Name) && !slices.Contains(notReplayed, p.Name) {
				values[p.Name] = v
			}
		}
	}
	for name, with := range map[string]string{"field.file": "field.datum", "earlier.file": ""} {
		if file, ok := values[name].Any().(string); ok {
			file, _ = record.SplitName(file)
			if _, err := os.Stat(file); err != nil { // recorded on another machine
				delete(values, name)
				delete(values, with)
			}
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	o := &param.Overrides{}
	for _, name := range known {
		if v, ok := values[name]; ok {
			if err := o.AddAssignment(explorer.DefaultName + ":" + name + ":=" + v.String()); err != nil {
				return nil, err
			}
		}
	}
	return o, apply(o, explorer.DefaultName, scratch.Explorer.Parameters())
}
