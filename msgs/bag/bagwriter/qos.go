package bagwriter

import (
	"math"
	"time"

	"go.yaml.in/yaml/v3"
)

// Policies of a QoS profile, with rmw's numbers.
type (
	History     int
	Reliability int
	Durability  int
	Liveliness  int
)

// The policies that are written.
const (
	KeepLast       History     = 1
	KeepAll        History     = 2
	HistoryUnknown History     = 3 // DDS discovery tells neither history nor depth
	Reliable       Reliability = 1
	BestEffort     Reliability = 2
	TransientLocal Durability  = 1
	Volatile       Durability  = 2
	Automatic      Liveliness  = 1
	ManualByTopic  Liveliness  = 3
)

// QoS is one offered profile.
type QoS struct {
	History     History
	Depth       int
	Reliability Reliability
	Durability  Durability
	Deadline    time.Duration
	Lifespan    time.Duration
	Liveliness  Liveliness
	Lease       time.Duration // of the liveliness
}

// infinite is the duration of a QoS profile that never ends: rmw's 9223372036.854775807 s.
const infinite time.Duration = math.MaxInt64

// DefaultQoS is reliable, volatile, keep-last 10.
func DefaultQoS() QoS {
	return QoS{History: KeepLast, Depth: 10, Reliability: Reliable, Durability: Volatile, Deadline: infinite, Lifespan: infinite, Liveliness: Automatic, Lease: infinite}
}

type yamlTime struct {
	Sec  int64 `yaml:"sec"`
	Nsec int64 `yaml:"nsec"`
}

func toYAMLTime(d time.Duration) yamlTime {
	return yamlTime{int64(d / time.Second), int64(d % time.Second)}
}

// yamlQoS is a profile as a bag holds it.
type yamlQoS struct {
	History     History     `yaml:"history"`
	Depth       int         `yaml:"depth"`
	Reliability Reliability `yaml:"reliability"`
	Durability  Durability  `yaml:"durability"`
	Deadline    yamlTime    `yaml:"deadline"`
	Lifespan    yamlTime    `yaml:"lifespan"`
	Liveliness  Liveliness  `yaml:"liveliness"`
	Lease       yamlTime    `yaml:"liveliness_lease_duration"`
	RawNames    bool        `yaml:"avoid_ros_namespace_conventions"`
}

// qosText returns the profiles as the text that Humble's metadata.yaml and MCAP channels hold; empty without profiles.
func qosText(qs []QoS) string {
	if len(qs) == 0 {
		return ""
	}
	var ys []yamlQoS
	for _, q := range qs {
		ys = append(ys, yamlQoS{
			History: q.History, Depth: q.Depth, Reliability: q.Reliability, Durability: q.Durability,
			Deadline: toYAMLTime(q.Deadline), Lifespan: toYAMLTime(q.Lifespan), Liveliness: q.Liveliness, Lease: toYAMLTime(q.Lease),
		})
	}
	b, err := yaml.Marshal(ys)
	if err != nil {
		panic("bagwriter: " + err.Error()) // a struct of plain fields
	}
	return string(b)
}
