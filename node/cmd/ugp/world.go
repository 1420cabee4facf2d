package main

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
)

// world holds the flags that all commands share: the field and its robot.
type world struct {
	Field    string `group:"field" help:"Point data that are interpolated by ordinary kriging to be the true field: a CSV with named columns, or Broom's Barn's own format. Without it a synthetic field of the seed is explored." type:"path" placeholder:"FILE"`
	Column   string `group:"field" help:"Column of --field with the quantity (log10 K in Broom's Barn's format, else the only one left)." placeholder:"NAME"`
	Boundary string `group:"field" help:"GeoJSON outline of the field, with holes and keep-outs, in metres or, with --datum, in degrees. Without it the outline of the data is traced." type:"path" placeholder:"FILE"`
	Datum    word   `group:"field" help:"Longitude and latitude of the map's origin in degrees, when --boundary is in degrees." placeholder:"LON,LAT"`
	Samples  word   `group:"mission" help:"Samples to be taken (30)." placeholder:"N"`
	Config   string `group:"run" help:"Parameters of the nodes as a ROS YAML file. Flags that are given win over it." type:"path" placeholder:"FILE"`
	Verbose  bool   `group:"run" short:"v" help:"Show what the nodes log."`

	config []byte // of Config, read once: it may be a pipe

	catalogue *planner.Catalogue // what the explorer may choose from; nil: what a robot has
}

// read reads the parameter file, if there is one.
func (w *world) read() (err error) {
	if w.Config == "" {
		return nil
	}
	if w.config, err = os.ReadFile(w.Config); err != nil {
		return badInput{fmt.Errorf("--config: %w", err)}
	}
	return nil
}

// overrides returns the parameter file's values and, after them, the flags'.
func (w *world) overrides() (*param.Overrides, error) {
	o := &param.Overrides{}
	if err := o.AddYAML(w.Config, w.config); err != nil {
		return nil, badInput{err}
	}
	var set []string
	if w.Samples != "" {
		n, err := w.Samples.number("--samples", 1, 100000)
		if err != nil {
			return nil, err
		}
		set = append(set, fmt.Sprintf("%s:budget.samples:=%d", explorer.DefaultName, n))
	}
	for _, flag := range []struct{ name, value string }{
		{"field.file", w.Field}, {"field.value_column", w.Column}, {"field.boundary_file", w.Boundary},
	} {
		if flag.value != "" {
			set = append(set, fmt.Sprintf("%s:%s:=%q", fieldsim.DefaultName, flag.name, flag.value))
		}
	}
	if w.Boundary != "" {
		set = append(set, fmt.Sprintf("%s:field.file:=%q", explorer.DefaultName, w.Boundary))
	}
	if w.Datum != "" {
		at, err := w.Datum.place("--datum")
		if err != nil {
			return nil, err
		}
		datum := fmt.Sprintf("field.datum:=[%s, %s]", double(at[0]), double(at[1]))
		set = append(set, fieldsim.DefaultName+":"+datum, explorer.DefaultName+":"+datum)
	}
	return o, assign(o, set...)
}

// double writes a number so that YAML does not take it for an integer.
func double(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// assign adds assignments that stand for flags.
func assign(o *param.Overrides, rules ...string) error {
	for _, rule := range rules {
		if err := o.AddAssignment(rule); err != nil {
			return badInput{err}
		}
	}
	return nil
}

// open starts the nodes on what was given, and returns their configuration too. A
// flag that would have no effect is refused: it was meant to have one.
func (w *world) open(seed int64, opts simulation.Options) (*simulation.Simulation, *simulation.Config, error) {
	cfg := simulation.DefaultConfig(seed)
	if w.catalogue != nil {
		cfg.Explorer.Catalogue = *w.catalogue
	}
	s, err := simulation.New(&cfg, opts)
	if err != nil {
		return nil, nil, badInput{err}
	}
	field := cfg.Fieldsim.Field
	switch {
	case w.Column != "" && field.File == "":
		err = fmt.Errorf("--column is %q: there is no --field whose column it could be", w.Column)
	case w.Datum != "" && field.Boundary == "" && cfg.Explorer.Field.File == "":
		err = fmt.Errorf("--datum is %q: there is no --boundary that it could place", string(w.Datum))
	default:
		return s, &cfg, nil
	}
	s.Close()
	return nil, nil, badInput{err}
}

// sampled returns an error when a mission came to its end without a single
// sample. In a simulation that is for what was given: a budget too small, no
// place that may be a target, a probe that says nothing.
func sampled(m *record.Mission) error {
	if len(m.Observations) > 0 {
		return nil
	}
	return badInput{fmt.Errorf("not one sample was taken: %s", m.Outcome)}
}

func (w *world) log(t terminal) slog.Handler {
	if !w.Verbose {
		return nil
	}
	return slog.NewTextHandler(t.err, nil)
}
