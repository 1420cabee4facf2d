package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"time"

	"ugp_explorer/node/painter"
)

//go:embed assets
var embedded embed.FS

// serveAsset serves a file of the page. A browser asks again each time, and gets it only if it
// has changed: a robot may have been updated.
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
		sum := sha256.Sum256(data)
		h := w.Header()
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
		h.Set("Content-Type", map[string]string{
			".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
			".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
		}[path.Ext(name)])
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}
