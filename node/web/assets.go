package web

import (
	"embed"
	"net/http"
	"path"

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
		w.Header().Set("Content-Type", contentType(name))
		_, _ = w.Write(data) // the client may have gone
	}
}

// contentType returns the type of a file by its name.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json", ".geojson":
		return "application/json"
	case ".csv":
		return "text/csv; charset=utf-8"
	case ".tif":
		return "image/tiff"
	}
	return "application/octet-stream"
}
