// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/earth"
)

type exportCommand struct {
	Mission   string   `arg:"" help:"A mission's folder, or its mission.json." type:"path"`
	Out       string   `help:"Folder for the files (export, in the mission's folder)." type:"path" placeholder:"DIR"`
	CRS       string   `name:"crs" help:"Coordinates: wgs84 (longitude and latitude), utm (the zone of the datum), a zone of UTM such as EPSG:32721, or local (metres of the map). Default: wgs84 if the datum is known, otherwise local." placeholder:"NAME"`
	Datum     lonLat   `help:"Longitude and latitude of the map's origin in degrees (field.datum of the mission's explorer, or datum of its filter)." placeholder:"LON,LAT"`
	Cell      float64  `help:"Edge length of a cell of the maps in metres (a hundredth of the longer side of the field)." from:"0.001" to:"1e6" placeholder:"M"`
	Zones     int      `help:"Number of zones of equal area (4), from 2 to 100; a mission with the objective threshold has two zones, above and below it." from:"2" to:"100" xor:"zones" placeholder:"N"`
	Threshold *float64 `help:"Value that divides the field into two zones, above and below it, instead of --zones; in the unit of the page, the report and zones.csv, such as mg/l." from:"-1.7e308" to:"1.7e308" xor:"zones" placeholder:"VALUE"`
}

// Help returns the second part of the command's help.
func (exportCommand) Help() string {
	return `Writes the answer; samples, recommended place, outline, keep-outs, path, contour lines and zones (GeoJSON, and with a datum KML); tables of samples and zones (CSV); maps of mean and standard deviation (GeoTIFF); and their colours for QGIS. All values are in the unit of the page and the report; if the model uses logarithms, further columns and maps contain them. The explorer writes the same files at the end of each mission.`
}

// Run writes the results of a mission and lists the files.
func (c *exportCommand) Run(t terminal) error {
	file := c.Mission
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, record.MissionFile)
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			return badInput{fmt.Errorf("%s has no %s: give the folder of a mission that has ended or was interrupted; if the explorer was killed, start it again with this output_dir, and it writes the file", c.Mission, record.MissionFile)}
		}
	}
	m, err := record.ReadMission(file)
	if err != nil {
		return badInput{err}
	}
	o, err := c.options(m, filepath.Dir(file))
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
		return badInput{fmt.Errorf("--out is %s, and its %s, which no export has written, would be overwritten: choose another folder", out, name)}
	}
	surface, err := export.Relearn(m, &o)
	if err != nil {
		return badInput{fmt.Errorf("%s: %w", file, err)}
	}
	if _, err := export.Write(out, m, surface, o); errors.Is(err, export.ErrCells) {
		return badInput{fmt.Errorf("--cell: %w", err)}
	} else if err != nil {
		return err
	}
	list, err := os.ReadFile(filepath.Join(out, export.ListFile))
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s\nThese files are in %s.", list, out)
	if d := o.Datum; d != nil { // a swapped latitude and longitude are noticed
		fmt.Fprintf(t.out, " The map's origin is at %s.", record.DegreesText(d.Lon, d.Lat))
	}
	fmt.Fprintln(t.out)
	return nil
}

// options returns the options for a mission in a folder under the flags.
func (c *exportCommand) options(m *record.Mission, dir string) (export.Options, error) {
	o := export.DefaultOptions(m)
	o.CRS = earth.Kind(c.CRS)
	if events, err := journal.Read(dir); err == nil {
		o.Track = events.Track
	} else if !errors.Is(err, os.ErrNotExist) {
		return o, badInput{err}
	}
	if c.Datum.text != "" {
		given := earth.Datum{Lon: c.Datum.at[0], Lat: c.Datum.at[1]}
		if own := o.Datum; own != nil && *own != given {
			return o, badInput{fmt.Errorf("--datum is %q, but the mission was recorded with the datum %s,%s, and another one would displace its results: leave --datum out",
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
	if _, err := earth.New(o.CRS, o.Datum); errors.Is(err, earth.ErrNoDatum) && o.Datum == nil {
		return o, badInput{fmt.Errorf("--crs is %q: %w; give it by --datum LON,LAT", c.CRS, err)}
	} else if err != nil {
		return o, badInput{fmt.Errorf("--crs: %w", err)}
	}
	return o, nil
}
