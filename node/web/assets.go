// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"embed"
	"net/http"
	"path"
	"time"

	"ugp_explorer/node/painter"
)

//go:embed assets
var embedded embed.FS

// serveAsset serves a file of the page, or of the painter.
func serveAsset(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		file := path.Join("assets", path.Base(name))
		data, err := embedded.ReadFile(file)
		if err != nil {
			data, err = painter.Assets.ReadFile(file)
		}
		if err != nil {
			refuse(w, http.StatusNotFound, "there is no such page")
			return
		}
		http.ServeContent(w, r, file, time.Time{}, bytes.NewReader(data))
	}
}
