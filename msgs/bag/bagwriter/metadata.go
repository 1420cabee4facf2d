// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bagwriter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"
)

// QoS is one offered profile, as a bag holds it.
type QoS struct {
	Depth          int // messages that are kept; 0: not known, as DDS discovery tells neither history nor depth
	BestEffort     bool
	TransientLocal bool
	Lifespan       time.Duration // 0: infinite
}

// infinite is the duration of a QoS profile that never ends: rmw's 9223372036.854775807 s.
const infinite time.Duration = math.MaxInt64

// qosText returns profiles as the text that Humble's metadata.yaml and MCAP channels hold, with rmw's numbers; empty without profiles.
func qosText(profiles []QoS) string {
	var b bytes.Buffer
	number := func(other bool, one, two int) int {
		if other {
			return two
		}
		return one
	}
	duration := func(d time.Duration) string {
		return fmt.Sprintf("\n    sec: %d\n    nsec: %d", d/time.Second, d%time.Second)
	}
	const automatic = 1
	for _, q := range profiles {
		fmt.Fprintf(&b, "- history: %d\n  depth: %d\n", number(q.Depth == 0, 1, 3), q.Depth) // keep last, or unknown
		fmt.Fprintf(&b, "  reliability: %d\n  durability: %d\n", number(q.BestEffort, 1, 2), number(q.TransientLocal, 2, 1))
		fmt.Fprintf(&b, "  deadline:%s\n  lifespan:%s\n", duration(infinite), duration(cmp.Or(q.Lifespan, infinite)))
		fmt.Fprintf(&b, "  liveliness: %d\n  liveliness_lease_duration:%s\n  avoid_ros_namespace_conventions: false\n", automatic, duration(infinite))
	}
	return b.String()
}

// writeMetadata writes metadata.yaml, in Humble's version, into a folder so that after a power cut it is either whole or absent.
func writeMetadata(dir string, topics []*Topic, files []part) error {
	var b bytes.Buffer
	span := func(p part, indent string) {
		fmt.Fprintf(&b, "%[1]sduration:\n%[1]s  nanoseconds: %[2]d\n%[1]sstarting_time:\n%[1]s  nanoseconds_since_epoch: %[3]d\n%[1]smessage_count: %[4]d\n",
			indent, p.end-p.start, p.start, p.count)
	}
	var all part
	for _, p := range files {
		if p.count > 0 {
			all.add(p.count, p.start, p.end)
		}
	}
	fmt.Fprintf(&b, "rosbag2_bagfile_information:\n  version: %d\n  storage_identifier: mcap\n", metadataVersion)
	span(all, "  ")
	b.WriteString("  compression_format: \"\"\n  compression_mode: \"\"\n  topics_with_message_count:")
	if len(topics) == 0 {
		b.WriteString(" []")
	}
	for _, t := range topics {
		fmt.Fprintf(&b, "\n    - topic_metadata:\n        name: %q\n        type: %q\n        serialization_format: cdr\n        offered_qos_profiles: %q\n      message_count: %d",
			t.Name, t.Type, qosText(t.QoS), t.count)
	}
	b.WriteString("\n  relative_file_paths:\n")
	for _, p := range files {
		fmt.Fprintf(&b, "    - %q\n", p.name)
	}
	b.WriteString("  files:\n")
	for _, p := range files {
		fmt.Fprintf(&b, "    - path: %q\n", p.name)
		span(p, "      ")
	}
	path := filepath.Join(dir, "metadata.yaml")
	tmp := path + ".part"
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
