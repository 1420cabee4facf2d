// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/sense"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
)

// world holds the flags for the field and the robot.
type world struct {
	Field     string       `group:"field" help:"GeoJSON outline of the field, with holes and keep-outs; FILE#NAME is one of several fields. Default: an outline traced around the data." type:"path" placeholder:"FILE"`
	Covariate []string     `group:"field" sep:"none" help:"Covariate raster, such as soil conductivity or last year's map: GeoTIFF with one band, or points in a table, as FILE#COLUMN; can be repeated. farm simulates a raster for the simulated field, with a correlation of 0.6, or another one, as in farm:0.8." placeholder:"FILE"`
	Secondary *correlation `group:"field" help:"Give the simulated robot a second sensor, which measures a quantity with this correlation with the field along the whole path (0.6): secondary.correlation of fieldsim." placeholder:"[R]"`
	Survey    string       `group:"field" help:"Point data of the true field, interpolated by ordinary kriging: a table with named columns, CSV or GeoJSON, or a file in the original format of Broom's Barn. Default: a synthetic field drawn with the seed." type:"path" placeholder:"FILE"`
	Column    string       `group:"field" help:"Column of --survey with the quantity (log10 K in the Broom's Barn format, otherwise the only column besides the coordinates)." placeholder:"NAME"`
	Datum     lonLat       `group:"field" help:"Longitude and latitude of the map's origin in degrees. Default: the centre of --field, or else of --survey, if it is in degrees." placeholder:"LON,LAT"`
	Receiver  string       `group:"mission" help:"Errors of the simulated robot's position fixes: white, those of a receiver (${receivers}), or a CSV file with the errors of a recorded receiver (fix.receiver and fix.trace of fieldsim). white has independent errors of fix.stddev, 1 m; exact has none, for comparison. Default: what --config says, otherwise ${usual=white}." placeholder:"KIND|FILE"`
	Samples   int          `group:"mission" help:"${samplesHelp=Number of samples to take (30)}." from:"1" to:"100000" placeholder:"N"`
	Config    string       `group:"run" help:"ROS YAML file with parameters of the nodes. Flags override the file." type:"path" placeholder:"FILE"`
	Verbose   bool         `group:"run" short:"v" help:"Show the nodes' logs."`

	config []byte // content of Config, read once because it may be a pipe

	catalogue *planner.Catalogue       // methods that the explorer accepts; nil: those of a robot
	change    func(*simulation.Config) // what no parameter sets; nil: nothing
	logs      slog.Handler             // of the nodes of an experiment; nil: they are not shown
}

// checkOutline refuses point data as the outline of a field.
func checkOutline(field string) error {
	switch strings.ToLower(filepath.Ext(field)) {
	case ".csv", ".dat":
		return badInput{fmt.Errorf("--field is %q: want the outline of the field, GeoJSON; point data are given by --survey", field)}
	}
	return nil
}

// read checks the outline, and reads the parameter file if one is given.
func (w *world) read() (err error) {
	if err := checkOutline(w.Field); err != nil {
		return err
	}
	if w.Config == "" {
		return nil
	}
	if w.config, err = os.ReadFile(w.Config); err != nil {
		return badInput{fmt.Errorf("--config: %w", err)}
	}
	return nil
}

// parameters returns the nodes' parameters: defaults, the file, the flags of the world, and more flags.
func (w *world) parameters(defaults, more given) (*param.Overrides, error) {
	o := &param.Overrides{}
	if err := defaults.addTo(o); err != nil {
		return nil, err
	}
	if err := o.AddYAML(w.Config, w.config); err != nil {
		return nil, badInput{err}
	}
	var own given
	own.set(explorer.DefaultName, "budget.samples", w.Samples)
	own.set(explorer.DefaultName, "field.file", w.Field)
	own.set(explorer.DefaultName, "covariates", w.Covariate)
	own.set(explorer.DefaultName, "field.datum", w.Datum)
	own.set(fieldsim.DefaultName, "secondary.correlation", (*float64)(w.Secondary))
	own.set(fieldsim.DefaultName, "field.file", w.Survey)
	own.set(fieldsim.DefaultName, "field.value_column", w.Column)
	own.set(fieldsim.DefaultName, "field.boundary_file", w.Field)
	if err := own.receiver(w.Receiver); err != nil {
		return nil, err
	}
	return o, append(own, more...).addTo(o)
}

// given are assignments of parameters, NODE:NAME:=VALUE.
type given []string

// set assigns the value of a flag to a parameter. A flag that is not given has the zero value.
func (g *given) set(node, name string, value any) {
	v := reflect.ValueOf(value)
	if v.IsZero() {
		return
	}
	var text string
	switch x := reflect.Indirect(v).Interface().(type) {
	case string:
		text = strconv.Quote(x)
	case float64:
		text = double(x)
	case []string:
		list, _ := json.Marshal(x) // strings
		text = string(list)
	case lonLat:
		text = fmt.Sprintf("[%s, %s]", double(x.at[0]), double(x.at[1]))
	default:
		text = fmt.Sprint(x)
	}
	*g = append(*g, node+":"+name+":="+text)
}

// receiver assigns the value of --receiver: the name of a kind of receivers, or of the file of a recording.
func (g *given) receiver(name string) error {
	if name == "" {
		return nil
	}
	kind, file, err := receiverOf(name, fieldsim.Receivers())
	if err != nil {
		return err
	}
	*g = append(*g, fmt.Sprintf("%s:fix.receiver:=%q", fieldsim.DefaultName, kind), fmt.Sprintf("%s:fix.trace:=%q", fieldsim.DefaultName, file))
	return nil
}

// receiverOf returns what a --receiver names: one of the kinds, or the file of a recording.
func receiverOf(name string, kinds []string) (kind, file string, err error) {
	if slices.Contains(kinds, name) {
		return name, "", nil
	}
	file = kong.ExpandPath(name)
	if _, err := os.Stat(file); err != nil {
		return "", "", badInput{fmt.Errorf("--receiver is %q: want one of %s, or the CSV file of a recording: %w", name, strings.Join(kinds, ", "), err)}
	}
	return "", file, nil
}

func (g given) addTo(o *param.Overrides) error {
	for _, rule := range g {
		if err := o.AddAssignment(rule); err != nil {
			return badInput{err}
		}
	}
	return nil
}

// double formats a number so that YAML does not take it for an integer.
func double(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// worldHeader has what the missions of a log have in common.
type worldHeader struct {
	Experiment string `json:"experiment"`
	Survey     string `json:"survey"`
	Column     string `json:"column"`
	Field      string `json:"field"`
	Datum      string `json:"datum"`
	Samples    int    `json:"samples"`
	Config     string `json:"config"` // content of the file

	Covariate []string `json:"covariate,omitempty"` // left out without rasters
	Receiver  string   `json:"receiver,omitempty"`

	Secondary *correlation `json:"secondary,omitempty"`
}

func (w *world) header(experiment string) worldHeader {
	return worldHeader{experiment, w.Survey, w.Column, w.Field, w.Datum.text, w.Samples, string(w.config), w.Covariate, w.Receiver, w.Secondary}
}

// open starts the nodes with the given parameters and returns their configuration as
// well. A flag without an effect is refused. Where degrees need a datum and there is none, it sets --datum.
func (w *world) open(seed int64, opts simulation.Options) (*simulation.Simulation, *simulation.Config, error) {
	cfg := simulation.DefaultConfig(seed)
	if w.catalogue != nil {
		cfg.Explorer.Catalogue = *w.catalogue
	}
	if w.change != nil {
		w.change(&cfg)
	}
	s, err := simulation.New(&cfg, opts)
	if w.Datum.suggested(err) {
		var datum given
		datum.set(explorer.DefaultName, "field.datum", w.Datum)
		if err := datum.addTo(opts.Parameters); err != nil {
			return nil, nil, err
		}
		return w.open(seed, opts)
	}
	if err != nil {
		return nil, nil, badInput{err}
	}
	field, tight, pointless := cfg.Fieldsim.Field, "", false
	if e := s.Explorer(); e != nil {
		tight, pointless = e.TightBudget()
	}
	switch {
	case pointless:
		err = fmt.Errorf("budget.distance or budget.time is too small for this field: %s", tight)
	case w.Column != "" && field.File == "":
		err = fmt.Errorf("--column is %q, but there is no --survey with columns", w.Column)
	case w.Datum.text != "" && field.Boundary == "" && field.File == "" && !cfg.Explorer.Teach.On():
		err = fmt.Errorf("--datum is %q, but there is no --field or --survey that it applies to", w.Datum.text)
	default:
		return s, &cfg, nil
	}
	s.Close()
	return nil, nil, badInput{err}
}

// trial starts the nodes of one mission of a study, with the values of the parameter file, the
// flags, and further assignments. The seed is that of the field, the robot and the search.
func (w *world) trial(seed int64, more given) (*simulation.Simulation, error) {
	seeds := given{fmt.Sprintf("%s:seed:=%d", explorer.DefaultName, seed), fmt.Sprintf("%s:seed:=%d", fieldsim.DefaultName, seed)}
	overrides, err := w.parameters(nil, append(seeds, more...))
	if err != nil {
		return nil, err
	}
	s, _, err := w.open(seed, simulation.Options{Parameters: overrides, Log: w.logs})
	return s, err
}

// show shows the logs of the trials from now on, with --verbose.
func (w *world) show(t terminal) {
	if w.Verbose {
		w.logs = ros.NewConsole(t.err)
	}
}

// fly runs the mission of a trial to its end and closes the nodes. A mission that was given up
// comes with its error.
func fly(ctx context.Context, s *simulation.Simulation) (*record.Mission, error) {
	defer s.Close()
	err := s.Run(ctx)
	if err != nil && !errors.Is(err, simulation.ErrGivenUp) {
		return nil, err
	}
	return s.Explorer().Record(), err
}

// sampled returns an error if a mission ended without a single sample. In a simulation
// the cause is the input: a budget too small, no valid place for a target, or a probe
// without readings.
func sampled(m *record.Mission) error {
	if len(m.Observations) > 0 {
		return nil
	}
	return badInput{fmt.Errorf("%w: %s", errNoSample, m.Outcome)}
}

var errNoSample = errors.New("no sample was taken")

// introduce prints the field of an explorer, if it is in degrees, the origin of its map, and the unit of a noise that the
// user states for a field that is not his own.
func (w *world) introduce(t terminal, e *explorer.Explorer, cfg *simulation.Config) {
	fmt.Fprintf(t.err, "The field: %s.\n", e.Extent())
	tight, _ := e.TightBudget()
	notes := []string{cfg.Note, e.NoPhoto(), tight}
	for _, c := range e.Record().Covariates {
		notes = append(notes, c.Notes()...)
	}
	t.note(notes...)
	if w.Datum.text != "" {
		fmt.Fprintf(t.err, "The origin of the map (--datum) is %s, longitude and latitude.\n", w.Datum.text)
	}
	if own := &cfg.Explorer; !sense.StatesVariance(own.Reading.Type) {
		fmt.Fprintf(t.err, "The simulated readings of %s and their noise, reading.stddev, are in %s; the noise is %g.\n", own.Quantity, own.Units, own.Reading.StdDev)
	}
}
