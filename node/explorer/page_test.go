// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/mission"
)

const pageToken = "a-token-for-tests"

// pageWorld has a page.
func pageWorld(t *testing.T, changes ...func(*settings.Config)) (w *world, url string) {
	t.Helper()
	cfg := small()
	cfg.Web.Address, cfg.Web.Token = "127.0.0.1:0", pageToken
	cfg.OutputDir = filepath.Join(t.TempDir(), "out")
	cfg.Mission.Budget.Samples = 1000 // it does not end by itself
	for _, change := range changes {
		change(&cfg)
	}
	var terminal strings.Builder
	cfg.Terminal = &terminal
	ex := exec.NewSimulated(epoch)
	ex.Pace(400)
	w = joinWorld(t, cfg, false, ex, inproc.New(), "", 20, 10)
	link := regexp.MustCompile(`localhost(:\d+)`).FindStringSubmatch(terminal.String())
	if link == nil {
		t.Fatalf("no link was printed:\n%s", terminal.String())
	}
	return w, "http://127.0.0.1" + link[1]
}

// browse runs the graph while a person does something in a browser.
func (w *world) browse(what string, do func() error) {
	w.t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	var err error
	ended := false
	for !ended {
		w.run(100 * time.Millisecond)
		select {
		case err = <-done:
			ended = true
		default:
		}
	}
	if err != nil {
		w.t.Fatalf("%s: %v", what, err)
	}
}

func pageRequest(method, url, body string) (*http.Response, error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+pageToken)
	req.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(req)
}

// tell gives a command on the page and returns the answer.
func (w *world) tell(url, command string) (text string) {
	w.t.Helper()
	w.browse(command, func() error {
		res, err := pageRequest("POST", url+"/api/command", fmt.Sprintf(`{"command":%q}`, command))
		if err != nil {
			return err
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		text = string(b)
		return err
	})
	return text
}

// events returns the newest data of each event, once all those wanted have come.
func (w *world) events(url string, want ...string) map[string]string {
	w.t.Helper()
	got := map[string]string{}
	w.browse("events", func() error {
		res, err := pageRequest("GET", url+"/api/events", "")
		if err != nil {
			return err
		}
		defer res.Body.Close()
		name, lines := "", bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if n, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = n
			} else if d, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if got[name] = d; name == "maps" && strings.Contains(d, `"layers":null`) {
					got[name] = "" // none yet
				}
				if name == "status" && strings.Contains(d, `"files":true`) {
					got["results"] = d // the page shows them now
				}
			}
			all := true
			for _, event := range want {
				all = all && got[event] != ""
			}
			if all {
				return nil
			}
		}
		return fmt.Errorf("the events have ended: %v; they were %v", lines.Err(), got)
	})
	return got
}

// A mission is followed and commanded on the page, and its results are there at the end. The
// token is in no record.
func TestPage(t *testing.T) {
	w, url := pageWorld(t)
	w.run(time.Second)
	battery := advertise[sensor_msgs.BatteryState](w, "battery_state", ros.SensorData())
	w.must(battery.Publish(&sensor_msgs.BatteryState{Percentage: 0.42, Voltage: 24.31, Present: true}))
	w.run(time.Second)
	got := w.events(url, "scene", "pose", "status", "usage", "checks", "log")
	var status struct {
		State, Text, Waiting string
		Battery              struct{ Percent, Voltage float64 }
	}
	w.must(json.Unmarshal([]byte(got["status"]), &status))
	if status.State != "idle" || status.Waiting != "the start" || !strings.HasSuffix(status.Text, "; hold Start to begin") || status.Battery.Percent != 42 || status.Battery.Voltage != 24.31 {
		t.Errorf("before the start the status is %s", got["status"])
	}
	if !strings.Contains(got["pose"], `"x":20,"y":10`) || !strings.Contains(got["pose"], `"cov":[0.04,0.01,0.09]`) {
		t.Errorf("the pose is %s", got["pose"])
	}
	if text := w.tell(url, "skip"); !strings.Contains(text, `"done":false,"text":"the mission has no target to skip while it is idle"`) {
		t.Errorf("skip is answered with %s", text)
	}
	if text := w.tell(url, "start"); !strings.Contains(text, `"done":true`) {
		t.Fatalf("start is answered with %s", text)
	}
	w.until("two samples and their maps", func() bool { return len(w.observations) >= 2 && len(w.mean.Data) > 0 })
	w.do("pause") // it would be busy with its model
	got = w.events(url, "samples", "track", "plan", "maps")
	if !strings.Contains(got["maps"], `"layers":["mean","stddev","acquisition"]`) {
		t.Errorf("the maps are %s", got["maps"])
	}
	if text := w.tell(url, "stop"); !strings.Contains(text, `"done":true`) || w.explorer.State() != mission.StateDone {
		t.Fatalf("stop is answered with %s, and the mission is %s", text, w.explorer.State())
	}
	m := w.finish()
	if got := m.Settings["ugp_explorer"]["web.token"]; got != "" {
		t.Errorf("the record has the token %q", got)
	}
	if strings.Contains(w.log.String(), pageToken) {
		t.Error("the log has the token")
	}
	w.events(url, "results")
	w.browse("files", func() error {
		res, err := pageRequest("GET", url+"/files/mission.json", "")
		if err != nil {
			return err
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 || !strings.Contains(string(text), `"stop was requested"`) || strings.Contains(string(text), pageToken) {
			return fmt.Errorf("%s, %d bytes, %v", res.Status, len(text), err)
		}
		return nil
	})
	w.must(w.ex.Close())
	if _, err := pageRequest("GET", url+"/", ""); err == nil {
		t.Error("the page is served after the explorer has ended")
	}
}

// What the model expects at a place is what its map shows there.
func TestPagesAnswerAgreesWithTheMap(t *testing.T) {
	w, url := pageWorld(t)
	w.start()
	w.until("a map", func() bool { return len(w.cloud.Data) > 0 })
	w.do("pause")
	var answer struct{ Mean, Low, High float64 }
	w.browse("a question", func() error {
		res, err := pageRequest("GET", url+"/api/at?x=45&y=55", "") // the centre of a cell
		if err != nil {
			return err
		}
		defer res.Body.Close()
		return json.NewDecoder(res.Body).Decode(&answer)
	})
	grid, columns, err := convert.CloudColumns(&w.cloud, "mean")
	w.must(err)
	i, j := int(math.Round((45-grid.X0)/grid.DX)), int(math.Round((55-grid.Y0)/grid.DY))
	near(t, "the mean", answer.Mean, columns[0][j*grid.NX+i], 1e-5)
	if answer.Low >= answer.Mean || answer.High <= answer.Mean {
		t.Errorf("the answer is %+v, want limits about the mean", answer)
	}
}

// In time that is not paced there is nobody to look at a page.
func TestNoPageInUnpacedTime(t *testing.T) {
	cfg := small()
	cfg.Web.Address, cfg.Web.Token = "127.0.0.1:0", pageToken
	w := newWorld(t, cfg)
	w.run(time.Second)
	if log := w.log.String(); !strings.Contains(log, "web.address has no effect") || strings.Contains(log, "the page is served") {
		t.Errorf("the log says %s", log)
	}
}
