// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/names"
)

// Transport is an rcl context with its nodes.
type Transport struct {
	wait    *waiter
	context *rclgo.Context
	since   time.Time

	opening sync.WaitGroup // calls that open something

	// nodesMu is held for reading while a node queries the graph, so that the node is not
	// closed meanwhile. Only the waiter's thread locks it for writing.
	nodesMu sync.RWMutex
	nodes   []node

	mu     sync.Mutex
	closed bool
	ends   []*end // in the order in which they were opened
}

type node struct {
	name string
	*rclgo.Node
}

var (
	_ ros.Transport = (*Transport)(nil)
	_ ros.Searcher  = (*Transport)(nil)
)

// distro is the distribution that rclgo supports.
const distro = "humble"

// New joins the graph in a security enclave, "/" by default. rcl and its middleware read the rest
// from the environment (ROS_DOMAIN_ID, RMW_IMPLEMENTATION and so on).
func New(enclave string) (*Transport, error) {
	if d := os.Getenv("ROS_DISTRO"); d != "" && d != distro {
		return nil, fmt.Errorf("ros/rclgo: ROS_DISTRO is %q: rclgo supports only %q; use the transport fastdds with other distributions", d, distro)
	}
	t := &Transport{wait: newWaiter(), since: time.Now()}
	var err error
	t.wait.do(func() { err = t.begin(enclave) })
	if err != nil {
		t.wait.end(func() {})
		return nil, err
	}
	return t, nil
}

// Since implements ros.Searcher.
func (t *Transport) Since() time.Time { return t.since }

// begin opens the context. rcl's logs to /rosout and to files are off because our nodes log
// themselves.
func (t *Transport) begin(enclave string) error {
	args, _, err := rclgo.ParseArgs([]string{"--ros-args", "--disable-rosout-logs", "--disable-external-lib-logs", "--enclave", enclave})
	if err != nil {
		return plain("arguments", err)
	}
	if t.context, err = rclgo.NewContextWithOpts(args, nil); err != nil {
		return plain("context", err)
	}
	if t.wait.set, err = t.context.NewWaitSet(); err != nil {
		return errors.Join(plain("wait set", err), t.finish())
	}
	return nil
}

// finish closes the context, last of all.
func (t *Transport) finish() error {
	var errs []error
	if t.wait.set != nil {
		if err := t.wait.set.Close(); err != nil {
			errs = append(errs, plain("wait set", err))
		}
		t.wait.set = nil
	}
	if err := t.context.Close(); err != nil {
		errs = append(errs, plain("context", err))
	}
	return errors.Join(errs...)
}

// enter prevents the transport from being closed until leave is called.
func (t *Transport) enter() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ros.ErrClosed
	}
	t.opening.Add(1)
	return nil
}

func (t *Transport) leave() { t.opening.Done() }

// AddNode implements ros.Transport.
func (t *Transport) AddNode(name string) (err error) {
	if err := names.ValidateFull(name); err != nil {
		return err
	}
	if err := t.enter(); err != nil {
		return err
	}
	defer t.leave()
	i := strings.LastIndexByte(name, '/')
	namespace, base := name[:i], name[i+1:]
	if namespace == "" {
		namespace = "/"
	}
	t.wait.do(func() {
		if t.node(name) != nil {
			err = fmt.Errorf("ros/rclgo: a node %s exists already", name)
			return
		}
		n, nerr := t.context.NewNode(base, namespace)
		if nerr != nil {
			err = plain("node "+name, nerr)
			return
		}
		t.nodesMu.Lock()
		defer t.nodesMu.Unlock()
		t.nodes = append(t.nodes, node{name, n})
	})
	return err
}

// node returns the node called name; nil if there is none.
func (t *Transport) node(name string) *rclgo.Node {
	t.nodesMu.RLock()
	defer t.nodesMu.RUnlock()
	for _, n := range t.nodes {
		if n.name == name {
			return n.Node
		}
	}
	return nil
}

// RemoveNode implements ros.Transport. It closes the node's remaining endpoints.
func (t *Transport) RemoveNode(name string) (err error) {
	if t.enter() != nil {
		return nil
	}
	defer t.leave()
	errs := []error{t.closeEnds(func(e *end) bool { return e.Own.Node == name })}
	t.wait.do(func() {
		t.nodesMu.Lock()
		defer t.nodesMu.Unlock()
		i := slices.IndexFunc(t.nodes, func(n node) bool { return n.name == name })
		if i < 0 {
			return
		}
		if cerr := t.nodes[i].Close(); cerr != nil {
			errs = append(errs, plain("node "+name, cerr))
		}
		t.nodes = slices.Delete(t.nodes, i, i+1)
	})
	return errors.Join(errs...)
}

// closeEnds closes the endpoints for which cond holds, newest first.
func (t *Transport) closeEnds(cond func(*end) bool) error {
	t.mu.Lock()
	ends := slices.Clone(t.ends)
	t.mu.Unlock()
	var errs []error
	for _, e := range slices.Backward(ends) {
		if cond(e) {
			errs = append(errs, e.Close())
		}
	}
	return errors.Join(errs...)
}

// Close implements ros.Transport.
func (t *Transport) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		<-t.wait.done
		return nil
	}
	t.closed = true
	t.mu.Unlock()
	t.opening.Wait()
	errs := []error{t.closeEnds(func(*end) bool { return true })}
	t.wait.end(func() {
		t.nodesMu.Lock()
		defer t.nodesMu.Unlock()
		for _, n := range slices.Backward(t.nodes) {
			if err := n.Close(); err != nil {
				errs = append(errs, plain("node "+n.name, err))
			}
		}
		t.nodes = nil
		errs = append(errs, t.finish())
	})
	return errors.Join(errs...)
}
