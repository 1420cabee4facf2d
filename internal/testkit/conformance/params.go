// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

// settings is the configuration of the node under test.
type settings struct {
	Beta   float64
	Frame  string
	Sizes  []float64
	Budget int64
	Seed   int64
}

// tuned returns a node with parameters, its configuration, and another node that calls its
// services.
func tuned(g *graph) (cfg *settings, node, other *ros.Node) {
	cfg = &settings{Beta: 2, Frame: "map", Sizes: []float64{1, 2}, Budget: 30, Seed: 7}
	set := param.NewSet()
	set.Float64(&cfg.Beta, "ucb.beta", param.Range(0, 100), param.Live(), param.Describe("weight of the standard deviation"))
	set.String(&cfg.Frame, "frame", param.OneOf("map", "odom"), param.Live())
	set.Float64s(&cfg.Sizes, "field.sizes", param.Above(0), param.Length(2, 2), param.Unit("m"), param.Live())
	set.Int64(&cfg.Budget, "budget", param.AtLeast(1), param.Live())
	set.Int64(&cfg.Seed, "seed")
	set.OnChange(func() error {
		if cfg.Beta > 50 && cfg.Budget > 50 {
			return errors.New("beta and budget must not both exceed 50")
		}
		return nil
	})
	return cfg, g.node("tuned", ros.NodeOptions{Parameters: set}), g.node("other", ros.NodeOptions{})
}

// ask calls a service of the tuned node and waits for the response.
func ask[Req, Res any, PReq ros.MessagePtr[Req], PRes ros.MessagePtr[Res]](g *graph, from *ros.Node, service string, req *Req) (answer *Res) {
	g.t.Helper()
	c, err := ros.NewClient[Req, Res, PReq, PRes](from, "/tuned/"+service)
	must.OK(g.t, err)
	g.matched(c)
	must.OK(g.t, c.Call(req, Patience, func(res *Res, err error) {
		must.OK(g.t, err)
		answer = res
	}))
	g.wait(service, func() bool { return answer != nil })
	must.OK(g.t, c.Close())
	return answer
}

func parametersRead(t *testing.T, g *graph) {
	_, _, other := tuned(g)
	list := ask[ri.ListParametersRequest, ri.ListParametersResponse](g, other, "list_parameters", &ri.ListParametersRequest{})
	if want := (ri.ListParametersResult{
		Names:    []string{"ucb.beta", "frame", "field.sizes", "budget", "seed", "use_sim_time"},
		Prefixes: []string{"ucb", "field"},
	}); !reflect.DeepEqual(list.Result, want) {
		t.Errorf("listed %+v, want %+v", list.Result, want)
	}
	for _, c := range []struct {
		req  ri.ListParametersRequest
		want []string
	}{ // rclcpp's test_node.cpp, list_parameters: depth counts the dots
		{ri.ListParametersRequest{Depth: 1}, []string{"frame", "budget", "seed", "use_sim_time"}},
		{ri.ListParametersRequest{Prefixes: []string{"ucb"}}, []string{"ucb.beta"}},
		{ri.ListParametersRequest{Prefixes: []string{"ucb", "budget"}, Depth: 1}, []string{"ucb.beta", "budget"}},
		{ri.ListParametersRequest{Prefixes: []string{"uc"}}, []string{}},
	} {
		got := ask[ri.ListParametersRequest, ri.ListParametersResponse](g, other, "list_parameters", &c.req)
		if fmt.Sprint(got.Result.Names) != fmt.Sprint(c.want) {
			t.Errorf("%+v lists %v, want %v", c.req, got.Result.Names, c.want)
		}
	}
	names := []string{"ucb.beta", "frame", "field.sizes", "budget", "use_sim_time", "no.such"}
	values := ask[ri.GetParametersRequest, ri.GetParametersResponse](g, other, "get_parameters", &ri.GetParametersRequest{Names: names})
	for i, want := range []any{2.0, "map", []float64{1, 2}, int64(30), false, nil} {
		if got := param.ValueOf(&values.Values[i]).Any(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", names[i], got, want)
		}
	}
	types := ask[ri.GetParameterTypesRequest, ri.GetParameterTypesResponse](g, other, "get_parameter_types", &ri.GetParameterTypesRequest{Names: names})
	if want := []uint8{3, 4, 8, 2, 1, 0}; !reflect.DeepEqual(types.Types, want) { // rcl_interfaces/ParameterType
		t.Errorf("types are %v, want %v", types.Types, want)
	}
	d := ask[ri.DescribeParametersRequest, ri.DescribeParametersResponse](g, other, "describe_parameters",
		&ri.DescribeParametersRequest{Names: []string{"ucb.beta", "field.sizes", "seed", "no.such", "budget"}}).Descriptors
	beta, sizes, seed := d[0], d[1], d[2]
	if r := d[4].IntegerRange; len(r) != 1 || r[0].FromValue != 1 || r[0].ToValue != math.MaxInt64 {
		t.Errorf("budget is described as %+v", d[4])
	}
	if r := beta.FloatingPointRange; beta.Type != 3 || beta.Description != "weight of the standard deviation" || len(r) != 1 || r[0].FromValue != 0 || r[0].ToValue != 100 {
		t.Errorf("beta is described as %+v", beta)
	}
	if !strings.Contains(sizes.AdditionalConstraints, "above 0") || !strings.Contains(sizes.AdditionalConstraints, "2 elements") || !strings.Contains(sizes.Description, "(m)") {
		t.Errorf("sizes is described as %+v", sizes)
	}
	if !seed.ReadOnly || beta.ReadOnly || d[3].Type != 0 || d[3].Name != "no.such" {
		t.Errorf("read-only: seed %v, beta %v; unknown: %+v", seed.ReadOnly, beta.ReadOnly, d[3])
	}
}

func setting(name string, v param.Value) ri.Parameter {
	return ri.Parameter{Name: name, Value: v.Msg()}
}

func parametersSet(t *testing.T, g *graph) {
	cfg, _, other := tuned(g)
	res := ask[ri.SetParametersRequest, ri.SetParametersResponse](g, other, "set_parameters", &ri.SetParametersRequest{Parameters: []ri.Parameter{
		setting("ucb.beta", param.NewValue(60.0)),
		setting("ucb.beta", param.NewValue(101.0)),
		setting("frame", param.NewValue("world")),
		setting("seed", param.NewValue[int64](1)),
		setting("betta", param.NewValue(1.0)),
		setting("budget", param.NewValue[int64](60)),
		setting("budget", param.NewValue("many")),
		{Name: "field.sizes", Value: ri.ParameterValue{Type: ri.ParameterTypeParameterIntegerArray, IntegerArrayValue: []int64{3, 4}}},
	}}).Results
	for i, want := range []string{"", "from 0 to 100", `one of "map", "odom"`, "read-only", "no such parameter", "not both exceed", "allowed is integer", ""} {
		if res[i].Successful != (want == "") || !strings.Contains(res[i].Reason, want) {
			t.Errorf("result %d is %+v, want %q", i, res[i], want)
		}
	}
	if want := (settings{Beta: 60, Frame: "map", Sizes: []float64{3, 4}, Budget: 30, Seed: 7}); !reflect.DeepEqual(*cfg, want) {
		t.Errorf("the configuration is %+v, want %+v", *cfg, want)
	}
	atomic := func(ps ...ri.Parameter) ri.SetParametersResult {
		return ask[ri.SetParametersAtomicallyRequest, ri.SetParametersAtomicallyResponse](g, other, "set_parameters_atomically",
			&ri.SetParametersAtomicallyRequest{Parameters: ps}).Result
	}
	if r := atomic(setting("frame", param.NewValue("odom")), setting("budget", param.NewValue[int64](99))); r.Successful || cfg.Frame != "map" || cfg.Budget != 30 {
		t.Errorf("a refused change: %+v, the configuration is %+v", r, *cfg)
	}
	if r := atomic(setting("ucb.beta", param.NewValue(1.5)), setting("budget", param.NewValue[int64](99))); !r.Successful || cfg.Beta != 1.5 || cfg.Budget != 99 {
		t.Errorf("an allowed change: %+v, the configuration is %+v", r, *cfg)
	}
}

func parameterEvents(t *testing.T, g *graph) {
	watcher := g.node("watcher", ros.NodeOptions{})
	var events []ri.ParameterEvent
	sub := rostest.Hear(t, watcher, "/parameter_events", ros.Parameters(), func(m *ri.ParameterEvent) {
		if m.Node == "/tuned" && len(m.ChangedParameters) > 0 {
			events = append(events, ri.ParameterEvent{Stamp: m.Stamp, ChangedParameters: append([]ri.Parameter(nil), m.ChangedParameters...)})
		}
	})
	_, node, other := tuned(g)
	// A match at one end does not imply a match at the other yet; until then volatile
	// messages are lost.
	g.wait("a match with every node, and the node's with the watcher", func() bool {
		return sub.Matched() >= 3 && slices.ContainsFunc(node.Endpoints("/parameter_events"), func(e ros.EndpointInfo) bool {
			return e.GUID == sub.Info().GUID
		})
	})
	req := &ri.SetParametersRequest{Parameters: []ri.Parameter{setting("ucb.beta", param.NewValue(-1.0)), setting("ucb.beta", param.NewValue(3.0))}}
	ask[ri.SetParametersRequest, ri.SetParametersResponse](g, other, "set_parameters", req)
	must.OK(t, node.Parameters().Set(param.Assignment{Name: "frame", Value: param.NewValue("odom")}))
	g.wait("two events", func() bool { return len(events) == 2 })
	for i, want := range []struct {
		name  string
		value any
	}{{"ucb.beta", 3.0}, {"frame", "odom"}} {
		ps := events[i].ChangedParameters
		if len(ps) != 1 || ps[0].Name != want.name || param.ValueOf(&ps[0].Value).Any() != want.value {
			t.Errorf("event %d is %+v, want %v", i, ps, want)
		}
		if ros.TimeNs(events[i].Stamp) <= 0 {
			t.Errorf("event %d has no stamp", i)
		}
	}
}
