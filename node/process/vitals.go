// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"runtime"
	"runtime/metrics"
	"strconv"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
)

// vitalsPeriod is the time between two messages about the process.
const vitalsPeriod = 2 * time.Second

// Keys of the values in that status. openFiles and residentMemory are there on Linux only.
const (
	goroutines     = "goroutines"
	heap           = "heap, MB"            // of live objects and those not collected yet
	residentMemory = "resident memory, MB" // of the whole process
	openFiles      = "open files"
)

// vitals publishes what a node's process uses of the machine, on /diagnostics.
type vitals struct {
	node   *ros.Node
	out    *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
	sample []metrics.Sample
	warn   ros.Throttle
}

// tellVitals begins to tell what the process of the node uses of the machine.
func tellVitals(node *ros.Node) (err error) {
	v := &vitals{node: node, sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}, warn: node.NewThrottle(time.Minute)}
	if v.out, err = ros.Advertise[diagnostic_msgs.DiagnosticArray](node, "/diagnostics", ros.DefaultQoS()); err != nil {
		return err
	}
	_, err = node.NewTimer(vitalsPeriod, v.publish)
	return err
}

func (v *vitals) publish() {
	if v.out.Matched() == 0 {
		return
	}
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: v.node.Name() + ": process", HardwareID: "none", Message: "the process is running",
	}
	add := func(key string, value int64) {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: key, Value: strconv.FormatInt(value, 10)})
	}
	metrics.Read(v.sample)
	add(goroutines, int64(runtime.NumGoroutine()))
	add(heap, int64(v.sample[0].Value.Uint64())>>20)
	if bytes, files, ok := used(); ok {
		add(residentMemory, bytes>>20)
		add(openFiles, files)
	}
	m := diagnostic_msgs.DiagnosticArray{Status: []diagnostic_msgs.DiagnosticStatus{d}}
	m.Header.Stamp = v.node.Stamp()
	if err := v.out.Publish(&m); err != nil {
		v.warn.Warn("the state of the process was not published", "error", err.Error())
	}
}
