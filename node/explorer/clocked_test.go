package explorer_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// clocked starts an explorer whose time comes from /clock: the test sets it on the executor.
// until runs the executor until a condition holds, for a minute of the wall clock at most.
func clocked(t *testing.T, cfg *explorer.Config) (ex *exec.RealTime, node *ros.Node, e *explorer.Explorer, until func(what string, cond func() bool)) {
	t.Helper()
	var err error
	ex = exec.NewRealTime()
	graph := inproc.New()
	t.Cleanup(func() {
		if err := errors.Join(ex.Close(), graph.Close()); err != nil {
			t.Error(err)
		}
	})
	overrides := &param.Overrides{}
	must(t, overrides.AddAssignment("use_sim_time:=true"))
	node, err = ros.NewNode(graph, ex, explorer.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), Overrides: overrides})
	must(t, err)
	e, err = explorer.New(node, cfg)
	must(t, err)
	return ex, node, e, func(what string, cond func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ex.Run(ctx, cond); err != nil {
			t.Fatalf("waiting for %s: %v; %s", what, err, e.Status())
		}
	}
}
