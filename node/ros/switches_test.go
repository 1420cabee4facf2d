package ros_test

import (
	"fmt"
	"strings"
	"testing"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// older is a transport that does not know the types of one package, as in a distribution without it.
type older struct {
	ros.Transport
	without string
}

func (o older) NewResponder(e ros.Endpoint, l ros.Listener) (ros.Responder, error) {
	if strings.HasPrefix(e.Type, o.without) {
		return nil, fmt.Errorf("%w: %s", ros.ErrUnknownType, e.Type)
	}
	return o.Transport.NewResponder(e, l)
}

func TestNodeOfAnOlderDistribution(t *testing.T) {
	tr := inproc.New()
	for _, c := range []struct {
		without string
		served  int
	}{{"type_description_interfaces/", 0}, {"none/", 1}} {
		n, err := ros.NewNode(older{tr, c.without}, exec.NewSimulated(0), "n", ros.NodeOptions{})
		if err != nil {
			t.Errorf("without %s: %v", c.without, err)
			continue
		}
		if served := len(tr.Endpoints("/n/get_type_description")); served != c.served {
			t.Errorf("without %s: %d services that describe types, want %d", c.without, served, c.served)
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := ros.NewNode(older{tr, "rcl_interfaces/srv/ListParameters"}, exec.NewSimulated(0), "n", ros.NodeOptions{}); err == nil {
		t.Error("a node without the services of parameters starts")
	}
}
