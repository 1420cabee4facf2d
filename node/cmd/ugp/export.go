package main

import (
	"cmp"
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
	Mission   string   `arg:"" help:"A mission's folder, or its mission.json." type:"path"`
	Out       string   `help:"Folder for the files (export, in the mission's folder)." type:"path" placeholder:"DIR"`
	CRS       string   `name:"crs" help:"Coordinates: wgs84 (longitude and latitude), utm (the zone of the datum) or local (metres of the map). Default: wgs84 if the datum is known, else local." placeholder:"NAME"`
	Datum     lonLat   `help:"Longitude and latitude of the map's origin in degrees (field.datum of the mission's explorer, or datum of its filter)." placeholder:"LON,LAT"`
	Cell      float64  `help:"Edge length of a cell of the maps in metres (a hundredth of the longer side of the field)." from:"0.001" to:"1e6" placeholder:"M"`
	Zones     int      `help:"Number of zones of equal area (4), from 2 to 100; a mission with the objective threshold has two zones, above and below it." from:"2" to:"100" xor:"zones" placeholder:"N"`
	Threshold *float64 `help:"Value that divides the field into two zones, above and below it, in place of --zones." from:"-1.7e308" to:"1.7e308" xor:"zones" placeholder:"VALUE"`
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
	fmt.Fprintf(t.out, "Coordinates are %s.", system.Name)
	if d := o.Datum; d != nil { // a swapped latitude and longitude are noticed
		fmt.Fprintf(t.out, " The map's origin is at %.6g° %c, %.6g° %c.", math.Abs(d.Lat), side(d.Lat, 'N', 'S'), math.Abs(d.Lon), side(d.Lon, 'E', 'W'))
	}
	fmt.Fprintf(t.out, " In %s:\n", out)
	for _, name := range names {
		fmt.Fprintln(t.out, "  "+name)
	}
	return nil
}

// options returns the options for a mission under the flags.
func (c *exportCommand) options(m *record.Mission) (export.Options, error) {
	o := export.DefaultOptions(m)
	o.CRS = crs.Kind(c.CRS)
	if c.Datum.text != "" {
		given := field.Datum{Lon: c.Datum.at[0], Lat: c.Datum.at[1]}
		if own := o.Datum; own != nil && *own != given {
			return o, badInput{fmt.Errorf("--datum is %q, but the mission was recorded with the datum %s,%s, and its results would be moved: leave --datum out",
				c.Datum.text, double(own.Lon), double(own.Lat))}
		}
		o.Datum = &given
	}
	o.Cell = cmp.Or(c.Cell, o.Cell)
	if c.Threshold != nil {
		o.Threshold = c.Threshold
	}
	if c.Zones != 0 {
		o.Zones, o.Threshold = c.Zones, nil
	}
	if _, err := crs.New(o.CRS, o.Datum); errors.Is(err, crs.ErrDatum) && o.Datum == nil {
		return o, badInput{fmt.Errorf("--crs is %q: %w; give it by --datum LON,LAT", c.CRS, err)}
	} else if err != nil {
		return o, badInput{fmt.Errorf("--crs: %w", err)}
	}
	return o, nil
}

// side returns the letter of a coordinate's side of the equator, or of the prime meridian.
func side(degrees float64, positive, negative rune) rune {
	if degrees < 0 {
		return negative
	}
	return positive
}
