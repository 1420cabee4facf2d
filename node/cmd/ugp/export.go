package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"ugp_explorer/node/export"
	"ugp_explorer/node/export/crs"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

type exportCommand struct {
	Mission   string `arg:"" help:"A mission's folder, or its mission.json." type:"path"`
	Out       string `help:"Folder for the files (export, in the mission's folder)." type:"path" placeholder:"DIR"`
	CRS       string `name:"crs" help:"Coordinates: wgs84 (longitude and latitude), utm (the zone of the datum) or local (metres of the map). Default: wgs84 if the datum is known, else local." placeholder:"NAME"`
	Datum     word   `help:"Longitude and latitude of the map's origin in degrees (field.datum of the mission's explorer, or datum of its filter)." placeholder:"LON,LAT"`
	Cell      word   `help:"Edge length of a cell of the maps in metres (a hundredth of the longer side of the field)." placeholder:"M"`
	Zones     word   `help:"Number of zones of equal area (4), from 2 to 100; a mission with the objective threshold has two zones, above and below it." placeholder:"N"`
	Threshold word   `help:"Value that divides the field into two zones, above and below it, in place of --zones." placeholder:"VALUE"`
}

// Help returns the second part of the command's help.
func (exportCommand) Help() string {
	return `Writes samples and recommended place (CSV and GeoJSON), contour lines and zones (GeoJSON), and the maps of mean and standard deviation (GeoTIFF). The explorer writes the same files at the end of each mission.`
}

// Run writes the results of a mission and lists the files.
func (c *exportCommand) Run(t terminal) error {
	file := c.Mission
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, record.MissionFile)
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			return badInput{fmt.Errorf("%s has no %s: give the folder of a mission that has ended or was interrupted; one that was killed gets it when the explorer resumes it", c.Mission, record.MissionFile)}
		}
	}
	m, err := record.ReadMission(file)
	if err != nil {
		return badInput{err}
	}
	o, err := c.options(m)
	if err != nil {
		return err
	}
	out := c.Out
	if out == "" {
		out = filepath.Join(filepath.Dir(file), export.Folder)
	}
	if err := writable(out); err != nil {
		return err
	}
	if name := export.Foreign(out); name != "" {
		return badInput{fmt.Errorf("--out is %s, and its %s, which is not of an export, would be lost: choose another folder", out, name)}
	}
	surface, err := export.Relearn(m)
	if err != nil {
		return badInput{fmt.Errorf("%s: %w", file, err)}
	}
	names, err := export.Write(out, m, surface, o)
	if err != nil {
		return err
	}
	system, err := crs.New(o.CRS, o.Datum)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "Coordinates are %s.%s In %s:\n", system.Name(), origin(o.Datum), out)
	for _, name := range names {
		fmt.Fprintln(t.out, "  "+name)
	}
	return nil
}

// origin says where on the earth a datum is, so that a swapped latitude and longitude are noticed.
func origin(d *field.Datum) string {
	if d == nil {
		return ""
	}
	ns, ew := "N", "E"
	if d.Lat < 0 {
		ns = "S"
	}
	if d.Lon < 0 {
		ew = "W"
	}
	return fmt.Sprintf(" The map's origin is at %.6g° %s, %.6g° %s.", math.Abs(d.Lat), ns, math.Abs(d.Lon), ew)
}

// options returns the options for a mission under the flags.
func (c *exportCommand) options(m *record.Mission) (export.Options, error) {
	o := export.DefaultOptions(m)
	o.CRS = crs.Kind(c.CRS)
	if c.Datum != "" {
		at, err := c.Datum.place("--datum")
		if err != nil {
			return o, err
		}
		given := field.Datum{Lon: at[0], Lat: at[1]}
		if own := o.Datum; own != nil && *own != given {
			return o, badInput{fmt.Errorf("--datum is %q, but the mission was recorded with the datum %s,%s, and its results would be moved: leave --datum out",
				string(c.Datum), double(own.Lon), double(own.Lat))}
		}
		o.Datum = &given
	}
	var err error
	if c.Cell != "" {
		if o.Cell, err = c.Cell.float("--cell", 1e-3, 1e6); err != nil {
			return o, err
		}
	}
	if c.Threshold != "" {
		v, err := c.Threshold.float("--threshold", -math.MaxFloat64, math.MaxFloat64)
		if err != nil {
			return o, err
		}
		o.Threshold = &v
	}
	if c.Zones != "" {
		if c.Threshold != "" {
			return o, badInput{errors.New("--zones and --threshold are both given: want one of them")}
		}
		n, err := c.Zones.number("--zones", 2, 100)
		if err != nil {
			return o, err
		}
		o.Zones, o.Threshold = int(n), nil
	}
	if _, err := crs.New(o.CRS, o.Datum); errors.Is(err, crs.ErrDatum) && o.Datum == nil {
		return o, badInput{fmt.Errorf("--crs is %q: %w; give it by --datum LON,LAT", c.CRS, err)}
	} else if err != nil {
		return o, badInput{fmt.Errorf("--crs: %w", err)}
	}
	return o, nil
}
