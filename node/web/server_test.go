// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"mime"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/node/web"
)

// The explorer's answers are handed on, also when it refuses. What is neither a command nor an edit does
// not come to it.
func TestCommands(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	const command, edits = "/api/command", "/api/outline"
	for _, c := range []struct {
		path, body, want string
		code             int
	}{
		{command, `{"command":"start"}`, `{"done":true,"text":"start was done"}`, 200},
		{command, `{"command":"goto 1.5 2"}`, `{"done":true,"text":"goto 1.5 2 was done"}`, 200},
		{command, `{"command":"resume"}`, `{"done":false,"text":"there is nothing to resume"}`, 200},
		{command, `{"command":"explode"}`, `{"error":"not a command"}`, 400},
		{command, `{"command":"start","more":1}`, `expected JSON object`, 400},
		{command, `{"command":"start"}{"command":"start"}`, `expected JSON object`, 400},
		{command, `{"command":["start"]}`, `expected JSON object`, 400},
		{command, `nothing`, `expected JSON object`, 400},
		{command, `{"command":"` + strings.Repeat("x", 10_000) + `"}`, `too large`, 413},
		{edits, `{"op":"move","at":[1e999,0]}`, `expected JSON object`, 400},
		{edits, `{"corner":1.5}`, `expected JSON object`, 400},
		{edits, `{"colour":"red"}`, `expected JSON object`, 400},
		{edits, edit + edit, `expected JSON object`, 400},
		{edits, "", `expected JSON object`, 400},
		{edits, `{"op":"` + strings.Repeat("x", 5000) + `"}`, `too large`, 413},
	} {
		if code, text, _ := r.ask("POST", c.path, c.body, isJSON, bearer); code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%s %.60s: %d %s, want %d %s", c.path, c.body, code, text, c.code, c.want)
		}
	}
	if got := fmt.Sprint(r.given()); got != "[start goto 1.5 2 resume explode]" {
		t.Errorf("the explorer was given %s", got)
	}
}

// What comes too often is refused, but never a stop.
func TestRates(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	refused := 0
	for try := 0; refused < 10 && try < 5; try++ { // a machine that stands still sends few in a second
		refused = 0
		for range 40 {
			if code, _, _ := r.ask("POST", "/api/command", `{"command":"start"}`, isJSON, bearer); code == http.StatusTooManyRequests {
				refused++
			}
		}
	}
	if refused < 10 {
		t.Errorf("of 40 commands at once %d were refused", refused)
	}
	if code, text, _ := r.ask("POST", "/api/command", `{"command":"stop"}`, isJSON, bearer); code != 200 {
		t.Errorf("the stop after them: %d %s", code, text)
	}
}

// A command that the explorer does not take up in time is withdrawn, except one that stops the
// robot.
func TestCommandOfABusyExplorer(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the explorer")
	}
	t.Parallel()
	r := newRig(t, nil)
	r.held.Store(true)
	var wait sync.WaitGroup
	for command, want := range map[string]string{"start": "withdrawn", "stop": "carries the command out as soon as it can"} {
		wait.Go(func() {
			if code, text, _ := r.ask("POST", "/api/command", `{"command":"`+command+`"}`, isJSON, bearer); code != http.StatusServiceUnavailable || !strings.Contains(text, want) {
				t.Errorf("%s: %d %s, want %q", command, code, text, want)
			}
		})
	}
	wait.Wait()
	r.held.Store(false)
	if code, _, _ := r.ask("POST", "/api/command", `{"command":"pause"}`, isJSON, bearer); code != 200 { // after what was queued
		t.Fatalf("the pause: %d", code)
	}
	if got := fmt.Sprint(r.given()); got != "[stop pause]" {
		t.Errorf("the explorer was given %s, want [stop pause]", got)
	}
}

// observation returns sample n.
func observation(n int) record.Observation {
	return record.Observation{
		Sequence: n, Stamp: float64(n), Target: record.Place{float64(n), 1}, Belief: record.Belief{X: float64(n) + 0.123456, Y: 1, XX: 0.01, YY: 0.02},
		Readings: 3, Value: 1.234567891, Variance: 0.0001,
	}
}

// A client gets everything once, then what is new, and after a lost connection what it lacks.
func TestEvents(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	own := make([]record.Observation, 0, 100)
	for n := range 3 {
		own = append(own, observation(n+1))
	}
	track := []record.Place{{0, 0}, {1, 0}}
	r.set(func(s *web.Snapshot) { s.Own, s.Track = own, track })
	r.server.Log(5e9, slog.LevelWarn, "the first line", nil)
	s := r.stream("")
	id := s.until("hello", any1)["id"].(string)
	s.until("scene", func(d map[string]any) bool { return d["quantity"] == "potassium" })
	s.until("pose", func(d map[string]any) bool { return d["y"] == 20.0 })
	s.until("status", func(d map[string]any) bool { return d["state"] == "travelling" })
	first := s.until("samples", any1)
	list := first["list"].([]any)
	if first["from"] != 0.0 || len(list) != 3 {
		t.Fatalf("the samples are %v", first)
	}
	if got, want := fmt.Sprint(list[0]), "map[at:[1.12 1] cov:[0.01 0 0.02] k:3 n:1 sd:0.01 t:1 to:[1 1] v:1.2346]"; got != want {
		t.Errorf("the first sample is %s, want %s", got, want)
	}
	r.set(func(s *web.Snapshot) { s.Own, s.Track = append(own, observation(4)), append(track, record.Place{2, 0}) })
	more := s.until("track", func(d map[string]any) bool { return d["from"] == 2.0 })
	if fmt.Sprint(more["points"]) != "[[2 0]]" {
		t.Errorf("the new part of the track is %v", more)
	}
	more = s.until("samples", any1)
	if more["from"] != 3.0 || len(more["list"].([]any)) != 1 {
		t.Errorf("the new samples are %v", more)
	}
	s.close()

	again := r.stream("id=" + id + "&samples=4&track=3&log=0")
	for {
		name, data := again.next()
		if name == "samples" || name == "track" {
			t.Errorf("what the client had is sent again: %s %v", name, data)
		}
		if name == "log" {
			if fmt.Sprint(data["lines"]) != "[map[level:1 t:5 text:the first line]]" {
				t.Errorf("the log is %v", data)
			}
			break
		}
	}
	again.close()
	if d := r.stream("id=another&samples=4&track=3").until("samples", any1); d["from"] != 0.0 {
		t.Errorf("a client of another explorer gets samples from %v on", d["from"])
	}
}

// While the explorer does not answer, clients are told for how long.
func TestSilentExplorer(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	s := r.stream("")
	s.until("pose", any1)
	r.held.Store(true)
	s.until("beat", func(d map[string]any) bool { return d["silence"].(float64) >= 1.5 })
	r.held.Store(false)
	s.until("pose", any1)
	s.until("beat", func(d map[string]any) bool { return d["silence"].(float64) < 1 })
}

// Nobody looks: the explorer is not asked.
func TestNobodyLooks(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	s := r.stream("")
	s.until("pose", any1)
	s.close()
	asked := func() int { r.mu.Lock(); defer r.mu.Unlock(); return r.asked }
	limit := time.Now().Add(20 * time.Second)
	for before := -1; before != asked(); { // until half a second passes without a question
		if time.Now().After(limit) {
			t.Fatal("the explorer is asked although nobody looks")
		}
		before = asked()
		<-time.After(500 * time.Millisecond)
	}
}

// A map comes back as it went in, to a 254th of its range.
func TestMaps(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	if code, _, _ := r.ask("GET", "/api/map/mean", "", bearer); code != 404 {
		t.Errorf("without maps: %d", code)
	}
	grid := record.Grid{X: -3, Y: 7, Cell: 0.5, NX: 3, NY: 2}
	mean := []float64{1, 2, math.NaN(), 4, 5, 6}
	maps := &web.Maps{
		Samples: 2, Data: &record.Maps{Grid: grid, Mean: mean, StdDev: []float64{1, 1, math.NaN(), 1, 1, 1}},
		Variance: 4, Predict: func(at record.Place) (median, low, high float64, err error) {
			v := at[0] + at[1]
			return v, v - 1, v + 1, nil
		},
	}
	maps.Data.Layers = []record.Layer{{Kind: record.LayerRaster, Name: "soil.tif", Values: []float64{70, 80, math.NaN(), 90, math.NaN(), 95.4}}}
	one := *maps
	one.Samples = 1
	first := *maps.Data
	first.Layers = append([]record.Layer{{Kind: record.LayerSecondary, Name: "conductivity", Units: "mS/m", Values: []float64{40, 45, math.NaN(), 50, 55, 60}}}, first.Layers...)
	one.Data = &first
	r.set(func(s *web.Snapshot) { s.Maps = &one })
	s := r.stream("")
	if d := s.until("maps", func(d map[string]any) bool { return d["named"] != nil }); fmt.Sprint(d["layers"], d["named"]) != "[secondary raster1] [map[layer:secondary name:Conductivity units:mS/m] map[layer:raster1 name:soil.tif]]" {
		t.Errorf("after one sample there are the maps %v", d)
	}
	if code, text, _ := r.ask("GET", "/api/map/raster1", "", bearer); code != 200 || text[56:] != "\x00\x64\xff\xc8\xff\xfe" {
		t.Errorf("the raster is %d %q", code, text)
	}
	if code, text, _ := r.ask("GET", "/api/map/secondary", "", bearer); code != 200 || text[56:] != "\x00\x40\xff\x7f\xbf\xfe" {
		t.Errorf("the second quantity is %d %q", code, text)
	}
	r.set(func(s *web.Snapshot) { s.Maps = maps })
	d := s.until("maps", func(d map[string]any) bool { return d["version"] == 2.0 })
	if fmt.Sprint(d["layers"]) != "[mean stddev raster1]" {
		t.Errorf("the maps are %v", d)
	}
	code, text, _ := r.ask("GET", "/api/map/mean", "", bearer)
	b := []byte(text)
	if code != 200 || len(b) != 56+6+6 || b[62] != 63 || b[64] != 0 || string(b[:4]) != "UGPM" {
		t.Fatalf("the map is %d %q", code, text)
	}
	f := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b[i:])) }
	if nx, ny := binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:]); nx != 3 || ny != 2 || f(16) != -3 || f(24) != 7 || f(32) != 0.5 {
		t.Errorf("the grid is %d×%d at (%g, %g), %g m", nx, ny, f(16), f(24), f(32))
	}
	for i, want := range mean {
		level := b[56+i]
		if math.IsNaN(want) != (level == 255) {
			t.Errorf("cell %d: level %d, want that of %g", i, level, want)
		}
		if got := f(40) + (f(48)-f(40))*float64(level)/254; level != 255 && math.Abs(got-want) > 5.0/254/2+1e-12 {
			t.Errorf("cell %d is %g, want %g", i, got, want)
		}
	}
	for _, layer := range []string{"truth", "acquisition", "secondary", "raster2", "nothing"} {
		if code, _, _ := r.ask("GET", "/api/map/"+layer, "", bearer); code != 404 {
			t.Errorf("the layer %s, which there is not: %d", layer, code)
		}
	}
	if code, text, _ := r.ask("GET", "/api/at?x=1.5&y=2", "", bearer); code != 200 || !strings.Contains(text, `"mean":3.5,"low":2.5,"high":4.5,"inside":true`) {
		t.Errorf("the value at a place: %d %s", code, text)
	}
	if code, text, _ := r.ask("GET", "/api/at?x=1.5&y=200", "", bearer); code != 200 || strings.Contains(text, "mean") || !strings.Contains(text, `"refused":"it is outside","inside":false`) {
		t.Errorf("a place outside: %d %s", code, text)
	}
	for _, q := range []string{"", "?x=1", "?x=NaN&y=1", "?x=1e999&y=1", "?x=a&y=1"} {
		if code, _, _ := r.ask("GET", "/api/at"+q, "", bearer); code != 400 {
			t.Errorf("%q: %d", q, code)
		}
	}
}

// The mission's folder can be read when the mission is over, and nothing outside of it.
func TestFiles(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	dir := t.TempDir()
	folder := filepath.Join(dir, "mission")
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		must.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)))
	}
	write("mission/report.html", "<script>alert(1)</script></html>")
	write("mission/bag_1/bag 1.mcap", "a bag")
	write("secret", "nobody's business")
	must.OK(t, os.Symlink("../secret", filepath.Join(folder, "link")))
	if code, text, _ := r.ask("GET", "/api/files", "", bearer); code != 404 || !strings.Contains(text, "not over") {
		t.Errorf("before the end: %d %s", code, text)
	}
	r.set(func(s *web.Snapshot) { s.Folder = folder })
	s := r.stream("")
	s.until("pose", any1)
	for limit := time.Now().Add(20 * time.Second); ; {
		code, text, _ := r.ask("GET", "/api/files", "", bearer)
		if code == 200 && strings.Contains(text, `{"files":[{"name":"report.html","title":"Report","size":32},{"name":"bag_1/bag 1.mcap","title":"Recording of the robot's messages (MCAP): bag 1","size":5}]}`) {
			break
		}
		if time.Now().After(limit) {
			t.Fatalf("the files: %d %s", code, text)
		}
	}
	_, _, header := r.ask("GET", "/files/report.html", "", bearer)
	results := header.Get("Location")
	wrong := strings.Replace(results, "/results/", "/results/0", 1)
	for path, want := range map[string]int{strings.Replace(results, "report.html", "bag_1/bag%201.mcap", 1): 200, wrong: 404, strings.Replace(results, "report.html", "..%2f..%2fsecret", 1): 404} {
		if code, text, _ := r.ask("GET", path, "", "Sec-Fetch-Site: cross-site", "Origin: null"); code != want { // as from the report
			t.Errorf("%s: %d %s, want %d", path, code, text, want)
		}
	}
	code, text, header := r.ask("GET", results, "")
	if code != 200 || !strings.Contains(text, "</html>") || !strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'none'; script-src") || !strings.HasSuffix(header.Get("Content-Security-Policy"), "sandbox allow-scripts allow-downloads") {
		t.Errorf("the report: %d %s %v", code, text, header)
	}
	code, text, header = r.ask("GET", "/files/bag_1/bag%201.mcap", "", bearer)
	if code != 200 || text != "a bag" || !strings.Contains(header.Get("Content-Disposition"), `attachment; filename="bag 1.mcap"`) {
		t.Errorf("the bag: %d %s %v", code, text, header)
	}
	for _, path := range []string{"../secret", "..%2fsecret", "link", "bag_1", "", "nothing", "%2fetc%2fpasswd", "bag_1/../../secret"} {
		if code, text, _ := r.ask("GET", "/files/"+path, "", bearer); code == 200 || strings.Contains(text, "business") {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}

// The archive is named after the field and the mission's time, with characters that every system takes, and its files have the
// times and the contents of those in the folder.
func TestArchive(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "mission", "North field": "north-field", "../S\"ud/Feld: 3*.": "s-ud-feld-3", "北": "mission"} {
		r := newRig(t, nil)
		folder := t.TempDir()
		at := map[string]time.Time{
			"mission.json": time.Date(2026, 11, 27, 14, 32, 10, 0, time.Local), "report.html": time.Date(2026, 11, 27, 15, 0, 2, 0, time.Local),
			"export/samples.csv": time.Date(2024, 2, 29, 8, 15, 30, 0, time.Local),
		}
		for file, at := range at {
			path := filepath.Join(folder, file)
			must.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("of "+file), 0o666), os.Chtimes(path, at, at)))
		}
		r.set(func(s *web.Snapshot) {
			scene := *s.Scene
			scene.Name = name
			s.Scene, s.Folder = &scene, folder
		})
		s := r.stream("")
		s.until("pose", any1)
		var code int
		var text string
		var header http.Header
		for limit := time.Now().Add(20 * time.Second); code != 200 && time.Now().Before(limit); {
			code, text, header = r.ask("GET", "/api/files.zip", "", bearer)
		}
		_, params, err := mime.ParseMediaType(header.Get("Content-Disposition"))
		if want += "-2026-11-27-1432.zip"; err != nil || params["filename"] != want {
			t.Errorf("the archive of %q is named %q, want %q: %v", name, params["filename"], want, err)
		}
		z, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
		must.OK(t, err)
		if len(z.File) != len(at) || z.File[0].Name != "report.html" {
			t.Errorf("the archive has %d files, the first %q", len(z.File), z.File[0].Name)
		}
		for _, f := range z.File {
			content, err := fs.ReadFile(z, f.Name)
			if want := at[f.Name]; err != nil || string(content) != "of "+f.Name || !f.Modified.Equal(want) {
				t.Errorf("%s is %q of %v, want that of %v: %v", f.Name, content, f.Modified, want, err)
			}
		}
	}
}

// Clients that read nothing, and more clients than may follow, do not keep others from the
// mission, nor the explorer from its work.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	var track []record.Place
	for i := range 20_000 {
		track = append(track, record.Place{float64(i), float64(i % 7)})
	}
	r.set(func(s *web.Snapshot) { s.Track = track }) // more than the buffers of a connection hold
	good := r.stream("")
	good.until("pose", any1)
	full := 0
	for range 100 {
		c, err := net.Dial("tcp", r.server.Addr().String())
		must.OK(t, err)
		defer c.Close()
		must.OK(t, c.(*net.TCPConn).SetReadBuffer(1024))
		if _, err := fmt.Fprintf(c, "GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", token); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		status := make([]byte, len("HTTP/1.1 503"))
		if _, err := io.ReadFull(c, status); err != nil {
			t.Fatalf("after %d others: %v", full, err)
		}
		if bytes.HasSuffix(status, []byte("503")) {
			full++
		}
	}
	if full < 60 {
		t.Errorf("of 100 more clients %d were told that there are too many, want most", full)
	}
	for range 20 { // two seconds of the mission
		good.until("pose", any1)
	}
	if code, text, _ := r.ask("POST", "/api/command", `{"command":"pause"}`, isJSON, bearer); code != 200 {
		t.Errorf("a pause beside them: %d %s", code, text)
	}
}

// Connections that send nothing are closed.
func TestConnectionsThatSayNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the server's patience")
	}
	t.Parallel()
	r := newRig(t, nil)
	begun := time.Now()
	var open []net.Conn
	for i := range 20 {
		c, err := net.Dial("tcp", r.server.Addr().String())
		must.OK(t, err)
		defer c.Close()
		if i%2 == 0 {
			fmt.Fprint(c, "POST /api/command HTTP/1.1\r\nHost: x\r\n")
		}
		open = append(open, c)
	}
	for _, c := range open {
		_ = c.SetReadDeadline(begun.Add(30 * time.Second))
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Errorf("a connection that says nothing is still open after %v: %v", time.Since(begun), err)
		}
	}
}

// Whoever fills all connections, and continues opening more, keeps nobody out who knows the token.
func TestStopBesideIdleConnections(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	page := r.stream("")
	page.until("pose", any1)
	cookie := r.login()
	for i := range 400 {
		c, err := net.Dial("tcp", r.server.Addr().String())
		must.OK(t, err)
		defer c.Close()
		if i%2 == 0 {
			fmt.Fprint(c, "POST /api/command HTTP/1.1\r\nHost: x\r\n")
		}
	}
	client.CloseIdleConnections() // the stop comes by a new one
	for command, headers := range map[string][]string{"stop": {bearer}, "pause": {cookie, "Origin: " + r.url}} {
		if code, text, _ := r.ask("POST", "/api/command", `{"command":"`+command+`"}`, append(headers, isJSON)...); code != 200 {
			t.Errorf("the %s: %d %s", command, code, text)
		}
	}
	for range 5 { // the page that was open before is open still
		page.until("pose", any1)
	}
}

// What a closed server has begun has ended: nothing uses the explorer after it.
func TestClose(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	s := r.stream("")
	s.until("pose", any1)
	if err := r.server.Close(); err != nil {
		t.Error(err)
	}
	if err := r.server.Close(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", r.server.Addr().String()); err == nil {
		t.Error("the address is still served")
	}
}

// The third stream to one browser ends the oldest, and not one to another browser.
func TestStreamsOfABrowser(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	other := r.stream("browser=b")
	first, second := r.stream("browser=a"), r.stream("browser=a")
	for _, s := range []*stream{other, first, second} {
		s.until("pose", any1)
	}
	third := r.stream("browser=a")
	first.until("elsewhere", any1)
	for _, s := range []*stream{other, second, third} {
		for range 3 {
			if name, _ := s.next(); name == "elsewhere" {
				t.Error("a stream is ended that need not be")
			}
		}
	}
}

// What a page could not draw comes to the log, cut, from who may read, and not too often.
func TestTrouble(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	body := `{"part":"map","text":"` + strings.Repeat("no ellipse\\n", 200) + `"}`
	if code, _, _ := r.ask("POST", "/api/trouble", body, isJSON); code != http.StatusUnauthorized {
		t.Errorf("without the token: %d", code)
	}
	if code, _, _ := r.ask("POST", "/api/trouble", body, isJSON, bearer, "Origin: http://elsewhere.example"); code != http.StatusForbidden {
		t.Errorf("from another page: %d", code)
	}
	refused := 0
	for range 10 {
		switch code, text, _ := r.ask("POST", "/api/trouble", body, isJSON, bearer); code {
		case http.StatusTooManyRequests:
			refused++
		case http.StatusNoContent:
		default:
			t.Errorf("%d %s", code, text)
		}
	}
	r.ask("POST", "/api/command", `{"command":"stop"}`, isJSON, bearer) // after the lines of the log
	lines := strings.Count(r.logs.String(), "part=map")
	if refused < 4 || lines != 10-refused || len(r.logs.String()) > lines*1500 || strings.Count(r.logs.String(), "\n") != lines {
		t.Errorf("of 10 reports %d were refused, and the log is\n%s", refused, r.logs.String())
	}
}
