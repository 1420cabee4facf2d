package bagwriter

import (
	"math"
	"time"

	"go.yaml.in/yaml/v3"
)

// Policies of a QoS profile, with rmw's numbers.
const (
	KeepLast       = 1
	KeepAll        = 2
	HistoryUnknown = 3 // DDS discovery tells neither history nor depth

	reliable   = 1
	BestEffort = 2

	TransientLocal = 1
	volatile       = 2

	automatic     = 1
	ManualByTopic = 3
)

// QoS is one offered profile, as a bag holds it.
type QoS struct {
	History     int      `yaml:"history"`
	Depth       int      `yaml:"depth"`
	Reliability int      `yaml:"reliability"`
	Durability  int      `yaml:"durability"`
	Deadline    Duration `yaml:"deadline"`
	Lifespan    Duration `yaml:"lifespan"`
	Liveliness  int      `yaml:"liveliness"`
	Lease       Duration `yaml:"liveliness_lease_duration"`
	RawNames    bool     `yaml:"avoid_ros_namespace_conventions"`
}

// Duration is written as seconds and nanoseconds.
type Duration time.Duration

// MarshalYAML implements yaml.Marshaler.
func (d Duration) MarshalYAML() (any, error) {
	return struct{ Sec, Nsec int64 }{int64(d) / 1e9, int64(d) % 1e9}, nil
}

// infinite is the duration of a QoS profile that never ends: rmw's 9223372036.854775807 s.
const infinite Duration = math.MaxInt64

// DefaultQoS is reliable, volatile, keep-last 10.
func DefaultQoS() QoS {
	return QoS{History: KeepLast, Depth: 10, Reliability: reliable, Durability: volatile, Deadline: infinite, Lifespan: infinite, Liveliness: automatic, Lease: infinite}
}

// qosText returns the profiles as the text that Humble's metadata.yaml and MCAP channels hold; empty without profiles.
func qosText(profiles []QoS) string {
	if len(profiles) == 0 {
		return ""
	}
	b, err := yaml.Marshal(profiles)
	if err != nil {
		panic("bagwriter: " + err.Error()) // a struct of plain fields
	}
	return string(b)
}
