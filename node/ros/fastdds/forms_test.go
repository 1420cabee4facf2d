//go:build fastdds

package fastdds

import (
	"bytes"
	"testing"

	"ugp_explorer/node/ros"
)

// The bytes are those of rmw_cyclonedds' cdds_request_header_t, a client's number
// and an int64, in the order of the message.
func TestCycloneForm(t *testing.T) {
	little := []byte{0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x2a, 0, 0, 0, 0, 0, 0, 0, 'b', 'o', 'd', 'y'}
	big := []byte{0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0x2a, 'b', 'o', 'd', 'y'}
	bodies := map[uint8][]byte{formCycloneLittle: []byte("\x00\x01\x00\x00body"), formCycloneBig: []byte("\x00\x00\x00\x00body")}
	wires := map[uint8][]byte{formCycloneLittle: little, formCycloneBig: big}
	for request, in := range wires {
		cdr, client, sequence, form, ok := cutCyclone(bytes.Clone(in))
		if !ok || sequence != 42 || form != request || !bytes.Equal(cdr, bodies[request]) {
			t.Errorf("% x is %q, number %d, form %d, %v", in, cdr, sequence, form, ok)
		}
		// A reply may be of the other byte order.
		for reply, out := range wires {
			if got := appendCyclone(nil, bodies[reply], client, sequence, form); !bytes.Equal(got, out) {
				t.Errorf("the reply of form %d to form %d is % x, want % x", reply, request, got, out)
			}
		}
		for n := 2; n < headerSize+identitySize; n++ {
			if _, _, _, _, ok := cutCyclone(bytes.Clone(in[:n])); ok {
				t.Errorf("%d bytes are taken for a request", n)
			}
		}
	}
	if _, _, _, _, ok := cutCyclone(nil); ok {
		t.Error("nothing is taken for a request")
	}
}

// The names are those of facts on ROS 2's wire: rmw's mangling rules.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		topic, typ string
		writer     bool
		kind       ros.EndpointKind
		name, ros  string
		ok         bool
	}{
		{"rt/a/b", "std_msgs::msg::dds_::String_", true, ros.PublisherEnd, "/a/b", "std_msgs/msg/String", true},
		{"rt/a", "Foreign::Type", false, ros.SubscriptionEnd, "/a", "Foreign::Type", true},
		{"rq/sRequest", "std_srvs::srv::dds_::SetBool_Request_", false, ros.ServerEnd, "/s", "std_srvs/srv/SetBool", true},
		{"rq/sRequest", "std_srvs::srv::dds_::SetBool_Request_", true, ros.ClientEnd, "/s", "std_srvs/srv/SetBool", true},
		{"rr/sReply", "std_srvs::srv::dds_::SetBool_Response_", true, 0, "", "", false},
		{"ros_discovery_info", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", true, 0, "", "", false},
		{"rq/s", "x", true, 0, "", "", false},
		{"rt", "x", true, 0, "", "", false},
		{"", "", true, 0, "", "", false},
	} {
		kind, name, typ, ok := describe(c.topic, c.typ, c.writer)
		if kind != c.kind || name != c.name || typ != c.ros || ok != c.ok {
			t.Errorf("%s of %s is %v %s of %s, %v", c.topic, c.typ, kind, name, typ, ok)
		}
	}
	if got, err := ddsType("nav_msgs/msg/Odometry"); got != "nav_msgs::msg::dds_::Odometry_" || err != nil {
		t.Errorf("ddsType: %q, %v", got, err)
	}
	for _, bad := range []string{"", "Odometry", "a/b", "a/b/c/d", "a//c"} {
		if _, err := ddsType(bad); err == nil {
			t.Errorf("%q is taken for a type", bad)
		}
	}
	if got := userField("enclave=/;typehash=RIHS01_ab;x", "typehash"); got != "RIHS01_ab" {
		t.Errorf("the type hash is %q", got)
	}
}
