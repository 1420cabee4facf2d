package explorer_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/bag"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/sim/rig/rostest"
)

// The token of a parameter works on the page, and is in no parameter event, answer of the
// parameter services, log, record or bag.
func TestTokenIsKeptSecret(t *testing.T) {
	cfg := small()
	cfg.Web.Address = "127.0.0.1:0"
	cfg.OutputDir = filepath.Join(t.TempDir(), "out")
	cfg.Record.Topics = "all"
	cfg.Mission.Budget.Samples = 1
	var terminal strings.Builder
	cfg.Terminal = &terminal
	ex := exec.NewSimulated(epoch)
	ex.Pace(400)
	graph := inproc.New()
	listener := rostest.Node(t, graph, ex, "listener", ros.NodeOptions{NoRosout: true})
	var heard []byte
	events := 0
	for topic, message := range map[string]string{"/parameter_events": "rcl_interfaces/msg/ParameterEvent", "/rosout": "rcl_interfaces/msg/Log"} {
		if _, err := ros.SubscribeRaw(listener, topic, message, "", ros.ParameterEvents(), func(cdr []byte, _ ros.MessageInfo) {
			heard = append(heard, cdr...)
			if topic == "/parameter_events" && bytes.Contains(cdr, []byte("web.token")) {
				events++
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	w := joinWorld(t, cfg, false, ex, graph, "", 20, 10, "web.token:="+pageToken)
	link := regexp.MustCompile(`localhost(:\d+)`).FindStringSubmatch(terminal.String())
	w.start()
	if link == nil || w.cfg.Web.Token != "" {
		t.Fatalf("the page is not served, or the configuration keeps the token:\n%s", terminal.String())
	}
	c, err := ros.NewClient[ri.GetParametersRequest, ri.GetParametersResponse](w.node, "ugp_explorer/get_parameters")
	w.must(err)
	answered := false
	w.must(c.Call(&ri.GetParametersRequest{Names: []string{"web.token"}}, time.Second, func(r *ri.GetParametersResponse, err error) {
		w.must(err)
		answered = true
		if len(r.Values) != 1 || r.Values[0].Type != ri.ParameterTypeParameterString || r.Values[0].StringValue != "" {
			t.Errorf("get_parameters answers %+v", r.Values)
		}
	}))
	w.until("an answer", func() bool { return answered })
	w.do("pause") // simulated time does not wait for the page's answer
	if text := w.tell("http://127.0.0.1"+link[1], "resume"); !strings.Contains(text, `"done":true`) {
		t.Errorf("with the token the page answers %s", text)
	}
	w.finish()
	w.must(w.ex.Close())
	if events == 0 {
		t.Error("no parameter event has the parameter's name")
	}
	if bytes.Contains(heard, []byte(pageToken)) || strings.Contains(w.log.String(), pageToken) {
		t.Error("the token is on /parameter_events, on /rosout or in the log")
	}
	w.must(filepath.WalkDir(cfg.OutputDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(pageToken)) {
			t.Errorf("%s has the token", path)
		}
		return err
	}))
	recorded, err := bag.Open(t.Context(), filepath.Join(cfg.OutputDir, "bag_1")) // its chunks are compressed
	w.must(err)
	defer recorded.Close()
	named := false
	for m, err := range recorded.Messages(bag.Query{}) {
		w.must(err)
		named = named || bytes.Contains(m.Data, []byte("web.token"))
		if bytes.Contains(m.Data, []byte(pageToken)) {
			t.Errorf("a message of %s in the bag has the token", m.Topic.Name)
		}
	}
	if !named {
		t.Error("no message in the bag has the parameter's name")
	}
}
