//go:build fastdds

package fastdds_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
)

// cycloneURI keeps Cyclone DDS on loopback, which may have no multicast.
const cycloneURI = `<General><Interfaces><NetworkInterface name="lo" multicast="false"/></Interfaces><AllowMulticast>false</AllowMulticast></General>` +
	`<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60</MaxAutoParticipantIndex><Peers><Peer address="127.0.0.1"/></Peers></Discovery>`

// buildCyclone builds testdata/cyclone with Debian's cyclonedds-dev and
// cyclonedds-tools.
func buildCyclone(t *testing.T) (program string) {
	t.Helper()
	for _, tool := range []string{"idlc", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing: apt-get install cyclonedds-dev cyclonedds-tools", tool)
		}
	}
	source, err := filepath.Abs("testdata/cyclone")
	must(t, err)
	dir := t.TempDir()
	for _, args := range [][]string{
		{"idlc", filepath.Join(source, "ros.idl")},
		{"cc", "-O1", "-I.", "-o", "peer", filepath.Join(source, "peer.c"), "ros.c", "-lddsc"},
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return filepath.Join(dir, "peer")
}

// An independent DDS on the other side: topics both ways, reliable and latched,
// and services in rmw_cyclonedds' form, as server and as client, while a client in
// rmw_fastrtps' form asks the same server.
func TestCyclone(t *testing.T) {
	program := buildCyclone(t)
	p := newParent(t)
	answers := 0
	_, err := ros.Serve(p.n, "/our_service", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) {
		answers++
		res.Success, res.Message = req.Data, fmt.Sprint("answer ", answers)
	})
	must(t, err)
	heard, pongs := "", []string(nil)
	_, err = ros.Subscribe(p.n, "/cyclone_latched", ros.Latched(), func(m *std_msgs.String, _ ros.MessageInfo) { heard = strings.Clone(m.Data) })
	must(t, err)
	_, err = ros.Subscribe(p.n, "/pong", ros.DefaultQoS(), func(m *std_msgs.String, _ ros.MessageInfo) { pongs = append(pongs, strings.Clone(m.Data)) })
	must(t, err)
	ping, err := ros.Advertise[std_msgs.String](p.n, "/ping", ros.Latched().WithDepth(10))
	must(t, err)
	must(t, ping.Publish(&std_msgs.String{Data: "latched by us"}))
	service, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](p.n, "/cyclone_service")
	must(t, err)

	const calls = 20
	cmd := exec.CommandContext(t.Context(), program, fmt.Sprint(domain()), fmt.Sprint(calls))
	cmd.Env = append(os.Environ(), "CYCLONEDDS_URI="+cycloneURI)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	must(t, cmd.Start())
	defer func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Logf("the peer said %s", out.String())
		}
	}()
	p.wait("what Cyclone latched, and our word back", func() bool { return heard == "latched by Cyclone" && len(pongs) == 1 })
	if pongs[0] != "latched by us" {
		t.Errorf("Cyclone heard %q", pongs[0])
	}
	for i := range 10 {
		if m := p.call(service); m != "Cyclone heard 1" {
			t.Errorf("call %d: Cyclone answers %q", i, m)
		}
	}
	p.wait("Cyclone's calls", func() bool { return answers == calls })
	fast, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](p.n, "/our_service")
	must(t, err)
	if m := p.call(fast); m != fmt.Sprint("answer ", calls+1) {
		t.Errorf("a client of the other form hears %q", m)
	}
	big := strings.Repeat("0123456789abcdef", 1<<17)
	must(t, ping.Publish(&std_msgs.String{Data: big}))
	p.wait("2 MB and back", func() bool { return len(pongs) == 2 })
	if pongs[1] != big {
		t.Errorf("2 MB come back as %d other bytes", len(pongs[1]))
	}
	for _, e := range p.n.Endpoints("/cyclone_service") {
		if e.Kind == ros.ServerEnd && e.Type != "std_srvs/srv/SetBool" {
			t.Errorf("Cyclone's server is %+v", e)
		}
	}
	must(t, ping.Publish(&std_msgs.String{Data: "end"}))
	if err := cmd.Wait(); err != nil {
		t.Errorf("the peer ends with %v: %s", err, out.String())
	}
}
