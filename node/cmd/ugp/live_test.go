package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLive serves the page at the address of the parameter file, prints the link, and ends with
// an interruption like any mission.
func TestLive(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	errs := trigger{word: "1 of 3 samples", cancel: func() {}}
	looked := false
	errs.cancel = func() {
		link := regexp.MustCompile(`http://localhost:\d+/`).FindString(errs.String())
		res, err := http.Get(link)
		if err != nil {
			t.Error(err)
		} else {
			looked = res.StatusCode == http.StatusOK
			res.Body.Close()
		}
		cancel()
	}
	var out bytes.Buffer
	dir := filepath.Join(t.TempDir(), "out")
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)},
		[]string{"demo", "--live", "--speed", "1000", "--samples", "3", "--address", "127.0.0.1:0", "--out", dir})
	if code != exitInterrupted || !looked {
		t.Errorf("exit code %d, page seen %v: %s", code, looked, errs.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "mission.json"))
	token := regexp.MustCompile(`#token=(\w+)`).FindStringSubmatch(errs.String())
	if err != nil || token == nil || strings.Contains(string(text), token[1]) {
		t.Errorf("%v; the link is %v, and the record must not have its token", err, token)
	}
}
