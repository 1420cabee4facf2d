// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation/advise"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
	"ugp_explorer/sim/experiment"
)

type adviseCommand struct {
	Field      string    `group:"field" required:"" help:"GeoJSON outline of the field, with holes and keep-outs, in degrees or metres: field.file of the explorer." type:"path" placeholder:"FILE"`
	Datum      lonLat    `group:"field" help:"Longitude and latitude of the map's origin in degrees. Default: the centre of --field, if it is in degrees." placeholder:"LON,LAT"`
	Range      interval  `group:"field" help:"Smallest and largest value of the field, in the unit of a reading. Default: results are in per cent of the difference between the two." from:"-1.7e308" to:"1.7e308" placeholder:"LOW,HIGH"`
	Length     float64   `group:"field" help:"Correlation length of the field in metres: about a third of the range of its variogram. Default: random fields of very different correlation lengths are simulated." from:"0.01" to:"1e6" placeholder:"M"`
	Earlier    string    `group:"field" help:"Samples from before the mission, CSV or GeoJSON: earlier.file of the explorer. The random fields agree with them, and the explorer knows them." type:"path" placeholder:"FILE"`
	Covariate  []worth   `group:"field" help:"Correlation of a candidate raster with the field, such as 0.6 or 0.4,0.6,0.8: the answer says how much the raster would help with this budget. Or the file of a raster whose correlation is unknown: the answer is for 0.4, 0.6 and 0.8. Soil conductivity and clay have 0.6 to 0.9, an image of the crop 0.2 to 0.5 with potassium." placeholder:"R|FILE"`
	Secondary  []float64 `group:"field" help:"Correlation with the field of the quantity that a second sensor would measure along the whole path, such as soil conductivity: 0.7, or 0.4,0.6,0.8. The answer says how much the sensor would help with this budget." from:"-1" to:"1" placeholder:"R"`
	Place      float64   `name:"position-stddev" group:"mission" help:"Standard deviation of the robot's position in x and in y, in metres: about 0.02 with RTK, 1.2 with a consumer receiver under the open sky, 4 under trees; by default that of --receiver. The answer says whether field and receiver need a model of uncertain places, or a better receiver." from:"0.001" to:"1000" placeholder:"M"`
	Receiver   string    `group:"mission" help:"Receiver of position fixes, whose errors displace the samples (consumer): ${receivers}, or a CSV file with the errors of a recorded one (fix.trace of fieldsim)." default:"consumer" placeholder:"KIND|FILE"`
	Speed      speed     `group:"mission" help:"Mean speed of the robot, such as 1.2m/s (budget.speed, by default 1 for a robot of 0.8 m and more)." from:"0.01" to:"30" placeholder:"V"`
	SampleTime *seconds  `group:"mission" help:"Time that a sample takes, such as 60s (budget.sample_time, by default 5)." from:"0" to:"86400" placeholder:"S"`
	Distance   metres    `group:"mission" help:"Distance that the robot may drive, including the path home, such as 6km or 800m." from:"1" to:"1000000" placeholder:"D"`
	Time       seconds   `group:"mission" help:"Time until the robot must be home, such as 2h, 90min or 600s." from:"1" to:"2592000" placeholder:"T"`
	Samples    int       `group:"mission" help:"Number of samples." from:"1" to:"10000" placeholder:"N"`
	Missions   int       `group:"run" help:"Number of simulated missions for each budget. Default: as many as the answer needs, from 29 to 100." from:"10" to:"100000" placeholder:"N"`
	Config     string    `group:"run" help:"ROS YAML file with parameters of the explorer, as for the mission. Flags override the file." type:"path" placeholder:"FILE"`
	Seed       uint64    `group:"run" help:"Seed of the trials; the same seed gives the same figures (1)." default:"1" from:"0" to:"9223372036854775807" placeholder:"N"`
	runFlags   `kong:"embed,set='unit=missions',set='out=out/advise',set='pictures=advice.svg',set='resume=Refuse an --out with missions of another field or robot. Without this flag, they are moved into a folder in --out. Missions of the same field and robot are never run again.'"`

	config []byte
}

// Help returns the second part of the command's help.
func (adviseCommand) Help() string {
	return `Draws random fields that may resemble yours and simulates missions of the explorer on them, with a robot that follows its paths exactly except for the errors of its receiver. Reports how far the value at the place found is below the highest one, how large the errors of the maps are, and what other budgets would achieve. Without --distance, --time and --samples, tries several budgets and says where returns diminish. Ends as soon as the answer is accurate enough; Ctrl-C ends it with the answer so far. The answer holds for fields as the explorer assumes them; --range, --length and --earlier make it specific to your field.`
}

// adviseHeader holds what the missions of a log have in common.
type adviseHeader struct {
	Experiment string   `json:"experiment"`
	Outline    string   `json:"outline"` // content of the file
	Earlier    string   `json:"earlier"` // content of the file
	Config     string   `json:"config"`  // content of the file
	Datum      string   `json:"datum"`
	Range      string   `json:"range"`
	Length     float64  `json:"length"`
	Speed      float64  `json:"speed"`
	SampleTime *float64 `json:"sample_time"`
	Seed       uint64   `json:"seed"`
	Unit       string   `json:"unit"`
	Receiver   string   `json:"receiver"`
}

// Run simulates the missions and prints the answer.
func (c *adviseCommand) Run(t terminal) error {
	cfg := advise.Config{Parameters: c.parameters, Missions: c.Missions, Seed: c.Seed, PlaceStdDev: c.Place}
	cfg.Budget = mission.Budget{Distance: float64(c.Distance), Duration: float64(c.Time), Samples: c.Samples}
	cfg.Known.Length, cfg.Secondary = c.Length, c.Secondary
	for _, w := range c.Covariate {
		if w.file != "" {
			cfg.Files = append(cfg.Files, w.file)
		} else {
			cfg.Covariates = append(cfg.Covariates, w.correlation)
		}
	}
	if c.Range.text != "" {
		cfg.Known.Range = &c.Range.at
	}
	receiver, err := c.receiver(&cfg.Fix)
	if err != nil {
		return err
	}
	if err := writable(c.Out); err != nil {
		return err
	}
	header := adviseHeader{"advise", "", "", "", c.Datum.text, c.Range.text, c.Length, float64(c.Speed), (*float64)(c.SampleTime), c.Seed, "", receiver}
	for _, file := range []struct {
		flag, name string
		into       *string
	}{{"--field", c.Field, &header.Outline}, {"--earlier", c.Earlier, &header.Earlier}, {"--config", c.Config, &header.Config}} {
		if file.name == "" {
			continue
		}
		name, part := file.name, ""
		if file.flag != "--config" {
			name, part = record.SplitName(name)
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return badInput{fmt.Errorf("%s: %w", file.flag, err)}
		}
		*file.into = string(content) + part
	}
	c.config = []byte(header.Config)
	if o, err := c.parameters(); err == nil { // otherwise the plan has the error
		t.doubts(o)
	}
	plan, err := advise.New(cfg)
	if c.Datum.suggested(err) {
		plan, err = advise.New(cfg)
	}
	if errors.Is(err, advise.ErrTooLittle) && c.Distance > 0 {
		err = fmt.Errorf("%w; did you mean --distance %gkm?", err, float64(c.Distance))
	} else if errors.Is(err, advise.ErrTooLittle) {
		err = fmt.Errorf("%w; did you mean --time %gh?", err, float64(c.Time))
	}
	if err != nil {
		return badInput{err}
	}
	header.Datum, header.Unit = c.Datum.text, plan.Unit()
	fmt.Fprintf(t.err, "The field: %s.\n", plan.Extent)
	t.note(append(plan.Notes, plan.Tight)...)
	if c.Missions == 0 {
		fmt.Fprintln(t.err, "It ends when the answer is accurate enough; Ctrl-C ends it with the answer so far.")
	}
	study := plan.Study(header)
	if err := c.setAside(t, study.Another(c.Out)); err != nil {
		return err
	}
	started, progress, judge := t.now(), newProgress(t), plan.Judge()
	progress.most = c.Missions == 0
	var enough []advise.Outcome
	results, err := finishOr(t, study, &c.runFlags, "", progress, func(done, left int, results []advise.Outcome) bool {
		if enough = judge(results); done > 0 {
			line, brief := plan.Answer(results).Line()
			progress.show(done, left, fmt.Sprintf("%d of %d missions: %s", done, left, line), bar(done, left)+" "+brief)
		}
		return enough != nil
	})
	if enough != nil {
		results = enough
	}
	answer := plan.Answer(results)
	if err != nil && !(errors.Is(err, context.Canceled) && answer.Known()) {
		return err
	}
	return conclude(t, study, &c.runFlags, started, results, answer.Table()+"\n"+answer.Sentence()+"\n",
		map[string][]byte{"advice.svg": answer.Picture()}, "The picture is %s/advice.svg.")
}

// receiver sets the errors of fixes to those of --receiver, and returns its name, or a name for its file.
func (c *adviseCommand) receiver(fix *sim.FixConfig) (name string, err error) {
	kind, file, err := receiverOf(c.Receiver, sim.Receivers())
	if err != nil {
		return "", err
	}
	if kind != "" {
		fix.Receiver, err = sim.ReceiverOf(kind)
		return kind, err
	}
	if fix.Trace, err = sim.ReadTrace(file, math.NaN()); err != nil {
		return "", badInput{fmt.Errorf("--receiver: %w", err)}
	}
	content, err := os.ReadFile(file)
	return fmt.Sprintf("%x", sha256.Sum256(content)), err
}

// setAside moves what an earlier run has left in --out into a folder there, if an error says why its missions are of
// another question. With --resume that error is one of the run that follows.
func (c *adviseCommand) setAside(t terminal, another error) error {
	resume := c.Resume
	c.Resume = true
	if another == nil || resume {
		return nil
	}
	folder, err := aside(c.Out, experiment.LogName, "results.csv", "table.md", "advice.svg")
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	fmt.Fprintf(t.err, "The missions in %s belong to another question, and were moved to %s: %v.\n", c.Out, folder, another)
	return nil
}

// parameters returns the explorer's parameters from --config and the flags.
func (c *adviseCommand) parameters() (*param.Overrides, error) {
	o := &param.Overrides{}
	if err := o.AddYAML(c.Config, c.config); err != nil {
		return nil, badInput{err}
	}
	var flags given
	flags.set(explorer.DefaultName, "field.file", c.Field)
	flags.set(explorer.DefaultName, "field.datum", c.Datum)
	flags.set(explorer.DefaultName, "earlier.file", c.Earlier)
	flags.set(explorer.DefaultName, "budget.speed", float64(c.Speed))
	flags.set(explorer.DefaultName, "budget.sample_time", (*float64)(c.SampleTime))
	return o, flags.addTo(o)
}
