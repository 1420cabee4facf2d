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

	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
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

// A mission that is over goes on with more budget that a person gives on its page, and its new result is printed, too.
func TestLiveGoesOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var errs, out trigger
	out.word, errs.word = "Go on, there", "never"
	out.cancel = func() {
		link := regexp.MustCompile(`(http://localhost:\d+)/#token=(\w+)`).FindStringSubmatch(errs.String())
		request, err := http.NewRequest(http.MethodPost, link[1]+"/api/command", strings.NewReader(`{"command":"more"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+link[2])
		request.Header.Set("Content-Type", "application/json")
		out.word, out.cancel = "3 samples, ", cancel
		go func() { // the answer comes when the simulation goes on
			res, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			res.Body.Close()
		}()
	}
	dir := filepath.Join(t.TempDir(), "out")
	code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(linePeriod)},
		[]string{"demo", "--live", "--speed", "1000", "--samples", "2", "--address", "127.0.0.1:0", "--out", dir})
	m, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, report.PageFile))
	if code != 0 || err != nil || len(m.Observations) != 3 || !strings.Contains(string(page), "3 of 3") {
		t.Errorf("exit code %d, %v, %d samples, %s\n%s", code, err, len(m.Observations), m.Outcome, out.String())
	}
}
