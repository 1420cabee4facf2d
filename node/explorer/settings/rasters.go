// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	reader "ugp_explorer/node/covariate"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/field"
)

// Photo makes the photo of a part of the map, m, from the tiles in the folder next to the field's file, or next to the file that a
// recording will write. It is nil without such a folder; the error says why an existing folder gives no photo.
func (c *Config) Photo(bound orb.Bound) (*painter.Photo, error) {
	file, _ := record.SplitName(cmp.Or(c.Field.File, c.Teach.File))
	dir := strings.TrimSuffix(file, filepath.Ext(file)) + ".tiles"
	if _, err := os.Stat(dir); file == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err := errors.New("field.datum is empty: give longitude and latitude of the map's origin")
	var photo *painter.Photo
	if datum := c.Datum(); datum != nil {
		photo, err = painter.ReadTiles(os.DirFS(dir), *datum, bound)
	}
	if err != nil {
		return nil, fmt.Errorf("the photo in %s is left out: %w", dir, err)
	}
	return photo, nil
}

// ReadCovariates reads the rasters that the field may be correlated with, and adds them to the model. It returns them and their initial
// entries in the record.
func (c *Config) ReadCovariates(region *field.Region, log *slog.Logger) (rasters []*covariate.Raster, used []record.Covariate, err error) {
	if len(c.Covariates) == 0 {
		return nil, nil, nil
	}
	c.Model.Covariates = nil // those of an explorer before this one
	for _, file := range c.Covariates {
		raster, note, err := reader.ReadDrawn(file, c.Drawn[file], region, c.Datum())
		if err != nil {
			return nil, nil, err
		}
		c.Model.Covariates, rasters, used = append(c.Model.Covariates, raster), append(rasters, raster), append(used, note)
		log.Info("the model may use " + note.String())
		for _, text := range note.Notes() {
			log.Warn(text)
		}
	}
	return rasters, used, nil
}
