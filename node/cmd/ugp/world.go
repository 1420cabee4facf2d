package main

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
)

// world holds the flags that demo and experiment share: the field and its robot.
type world struct {
	Samples  *int   `help:"Samples to be taken (30)." placeholder:"N"`
	Field    string `help:"Point data that are interpolated by ordinary kriging to be the true field: a CSV with named columns, or Broom's Barn's own format. Without it a synthetic field of the seed is explored." type:"path" placeholder:"FILE"`
	Column   string `help:"Column of --field with the quantity (log10 K in Broom's Barn's format, else the only one left)." placeholder:"NAME"`
	Boundary string `help:"GeoJSON outline of the field, with holes and keep-outs, in metres or, with --datum, in degrees. Without it the outline of the data is traced." type:"path" placeholder:"FILE"`
	Datum    string `help:"Longitude and latitude of the map's origin, when --boundary is in degrees." placeholder:"LON,LAT"`
	Config   string `help:"Parameters of the nodes as a ROS YAML file. Flags that are given win over it." type:"path" placeholder:"FILE"`
	Verbose  bool   `short:"v" help:"Show what the nodes log."`

	config []byte // of Config, read once: it may be a pipe
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
func (w *world) overrides() (*ros.Overrides, error) {
	o := &ros.Overrides{}
	if err := o.AddYAML(w.Config, w.config); err != nil {
		return nil, badInput{err}
	}
	var set []string
	if w.Samples != nil {
		set = append(set, fmt.Sprintf("%s:budget.samples:=%d", explorer.DefaultName, *w.Samples))
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
		datum := "field.datum:=[" + w.Datum + "]"
		set = append(set, fieldsim.DefaultName+":"+datum, explorer.DefaultName+":"+datum)
	}
	for _, rule := range set {
		if err := o.AddAssignment(rule); err != nil {
			return nil, badInput{err}
		}
	}
	return o, nil
}

func (w *world) log(t terminal) slog.Handler {
	if !w.Verbose {
		return nil
	}
	return slog.NewTextHandler(t.err, nil)
}

// methodHelp gives the flags' help the methods that there are.
func methodHelp() kong.Option {
	var names, lines []string
	for _, s := range planner.Strategies() {
		names = append(names, s.Name)
		lines = append(lines, s.Name+", "+s.Description)
	}
	return kong.Vars{"methods": strings.Join(names, ","), "methodHelp": strings.Join(lines, "; ")}
}

// writable makes the folder and makes sure that files can be made in it, before
// hours of simulated time are spent.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return badInput{fmt.Errorf("--out: the folder %s cannot be made: %w", dir, err)}
	}
	f, err := os.CreateTemp(dir, ".writable.*")
	if err != nil {
		return badInput{fmt.Errorf("--out: no file can be written in %s: %w", dir, err)}
	}
	f.Close()
	return os.Remove(f.Name())
}
