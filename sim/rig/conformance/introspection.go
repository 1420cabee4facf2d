package conformance

import (
	"slices"
	"strings"
	"testing"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_srvs"
	tdi "ugp_explorer/msgs/type_description_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

func typeDescriptions(t *testing.T, g *graph) {
	node, other := g.node("tuned", ros.NodeOptions{}), g.node("other", ros.NodeOptions{})
	_, err := ros.Advertise[nav_msgs.Odometry](node, "odom", ros.DefaultQoS())
	must(t, err)
	_, err = ros.Serve(node, "~/go", func(*std_srvs.SetBoolRequest, *std_srvs.SetBoolResponse) {})
	must(t, err)
	type (
		request  = tdi.GetTypeDescriptionRequest
		response = tdi.GetTypeDescriptionResponse
	)
	describe := func(name, hash string, sources bool) *response {
		return ask[request, response](g, other, "get_type_description", &request{TypeName_: name, TypeHash_: hash, IncludeTypeSources: sources})
	}
	odometry := (*nav_msgs.Odometry)(nil).TypeHash()
	r := describe("nav_msgs/msg/Odometry", odometry, true)
	// nav_msgs/Odometry contains a header with a time, a pose and a twist with covariance: what these contain, once each, by name.
	want := []string{
		"builtin_interfaces/msg/Time", "geometry_msgs/msg/Point", "geometry_msgs/msg/Pose", "geometry_msgs/msg/PoseWithCovariance", "geometry_msgs/msg/Quaternion",
		"geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistWithCovariance", "geometry_msgs/msg/Vector3", "std_msgs/msg/Header",
	}
	var names, sources []string
	for _, d := range r.TypeDescription.ReferencedTypeDescriptions {
		names = append(names, d.TypeName_)
	}
	for _, s := range r.TypeSources {
		if s.Encoding != "msg" || s.RawFileContents == "" {
			t.Errorf("the source of %s is %q, %q", s.TypeName_, s.Encoding, s.RawFileContents)
		}
		sources = append(sources, s.TypeName_)
	}
	if !r.Successful || r.FailureReason != "" || r.TypeDescription.TypeDescription.TypeName_ != "nav_msgs/msg/Odometry" || len(r.TypeDescription.TypeDescription.Fields) != 4 {
		t.Errorf("odometry is described as %+v", r)
	}
	if !slices.Equal(names, want) || !slices.Equal(sources, append([]string{"nav_msgs/msg/Odometry"}, want...)) {
		t.Errorf("the types in it are %v, with sources of %v; want %v", names, sources, want)
	}
	if r := describe("", std_srvs.SetBool.TypeHash, false); !r.Successful || r.TypeDescription.TypeDescription.TypeName_ != "std_srvs/srv/SetBool" || len(r.TypeSources) != 0 {
		t.Errorf("by its hash alone, without sources, SetBool is described as %+v", r)
	}
	for _, c := range []struct{ name, hash, says string }{ // the first words are rcl's
		{"nav_msgs/msg/Odometry", "RIHS01_12", "Failed to parse type hash"},
		{"nav_msgs/msg/Odometry", "", "Failed to parse type hash"},
		{"nav_msgs/msg/Odometry", std_srvs.SetBool.TypeHash, "Type not currently in use by this node: nav_msgs/msg/Odometry " + std_srvs.SetBool.TypeHash + "; it has " + odometry},
		{"nav_msgs/msg/Path", (*nav_msgs.Path)(nil).TypeHash(), "Type not currently in use by this node"},
		{"no_msgs/msg/Such", odometry, "Type not currently in use by this node: no_msgs/msg/Such"},
	} {
		if r := describe(c.name, c.hash, true); r.Successful || !strings.HasPrefix(r.FailureReason, c.says) || len(r.TypeSources) != 0 {
			t.Errorf("%s %s is described as %+v, want %q", c.name, c.hash, r, c.says)
		}
	}
}

func noTypeDescriptions(t *testing.T, g *graph) {
	var o param.Overrides
	must(t, o.AddAssignment("start_type_description_service:=false"))
	node, other := g.node("silent", ros.NodeOptions{Overrides: &o}), g.node("other", ros.NodeOptions{})
	if v, _ := node.Parameters().Get("start_type_description_service"); v.Any() != false {
		t.Errorf("the parameter is %v", v)
	}
	if v, _ := other.Parameters().Get("start_type_description_service"); v.Any() != true {
		t.Errorf("the parameter's default is %v", v)
	}
	g.wait("the other services of the node", func() bool { return len(other.Endpoints("/silent/list_parameters")) > 0 })
	if ends := other.Endpoints("/silent/get_type_description"); len(ends) > 0 {
		t.Errorf("the service is there: %v", ends)
	}
}
