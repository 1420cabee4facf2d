package bag

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Policies of a QoS profile, with rmw's numbers. Bags before Jazzy hold the numbers, later ones the names.
type (
	History     int
	Reliability int
	Durability  int
	Liveliness  int
)

// The policies that are written. A bag that is read may hold the others, too.
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

var (
	historyNames     = []string{"system_default", "keep_last", "keep_all", "unknown"}
	reliabilityNames = []string{"system_default", "reliable", "best_effort", "unknown", "best_available"}
	durabilityNames  = []string{"system_default", "transient_local", "volatile", "unknown", "best_available"}
	livelinessNames  = []string{"system_default", "automatic", "manual_by_node", "manual_by_topic", "unknown", "best_available"}
)

// policyValue returns the number of a policy that is written as its number or its name.
func policyValue(s string, names []string) int {
	if i := slices.Index(names, s); i >= 0 {
		return i
	}
	if i, err := strconv.Atoi(s); err == nil && i >= 0 && i < len(names) {
		return i
	}
	return slices.Index(names, "unknown")
}

// infinite is the duration of a QoS profile that never ends: rmw's 9223372036.854775807 s.
const infinite time.Duration = math.MaxInt64

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
	RawNames    bool          // avoid_ros_namespace_conventions
}

// DefaultQoS is reliable, volatile, keep-last 10.
func DefaultQoS() QoS {
	return QoS{History: KeepLast, Depth: 10, Reliability: Reliable, Durability: Volatile, Deadline: infinite, Lifespan: infinite, Liveliness: Automatic, Lease: infinite}
}

type yamlTime struct {
	Sec  uint64 `yaml:"sec"`
	Nsec uint64 `yaml:"nsec"`
}

func toYAMLTime(d time.Duration) yamlTime {
	return yamlTime{uint64(d / time.Second), uint64(d % time.Second)}
}

// duration returns infinite for what is longer than a time.Duration; Foxy's middlewares wrote such times.
func (t yamlTime) duration() time.Duration {
	if t.Sec >= 0x7fffffff || t.Nsec > uint64(math.MaxInt64)-t.Sec*uint64(time.Second) {
		return infinite
	}
	return time.Duration(t.Sec)*time.Second + time.Duration(t.Nsec)
}

// yamlQoS is a profile as a bag holds it. P is string, to read numbers and names, or int, to write numbers.
type yamlQoS[P string | int] struct {
	History     P        `yaml:"history"`
	Depth       int      `yaml:"depth"`
	Reliability P        `yaml:"reliability"`
	Durability  P        `yaml:"durability"`
	Deadline    yamlTime `yaml:"deadline"`
	Lifespan    yamlTime `yaml:"lifespan"`
	Liveliness  P        `yaml:"liveliness"`
	Lease       yamlTime `yaml:"liveliness_lease_duration"`
	RawNames    bool     `yaml:"avoid_ros_namespace_conventions"`
}

// parseQoS reads a YAML sequence of profiles, or a string that holds one.
func parseQoS(n *yaml.Node) ([]QoS, error) {
	if n.Kind == yaml.ScalarNode {
		return parseQoSText(n.Value)
	}
	var ys []yamlQoS[string]
	if err := n.Decode(&ys); err != nil {
		return nil, fmt.Errorf("offered_qos_profiles: %w", err)
	}
	var qs []QoS
	for _, y := range ys {
		qs = append(qs, QoS{
			History: History(policyValue(y.History, historyNames)), Depth: y.Depth,
			Reliability: Reliability(policyValue(y.Reliability, reliabilityNames)),
			Durability:  Durability(policyValue(y.Durability, durabilityNames)),
			Deadline:    y.Deadline.duration(), Lifespan: y.Lifespan.duration(),
			Liveliness: Liveliness(policyValue(y.Liveliness, livelinessNames)), Lease: y.Lease.duration(), RawNames: y.RawNames,
		})
	}
	return qs, nil
}

// maxQoS is the longest text of a topic's profiles, bytes: those of two hundred publishers. YAML takes a hundred times its length of memory.
const maxQoS = 64 << 10

func parseQoSText(s string) ([]QoS, error) {
	if len(s) > maxQoS {
		return nil, fmt.Errorf("offered_qos_profiles has %d bytes; at most %d are read", len(s), maxQoS)
	}
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(s), &n); err != nil {
		return nil, fmt.Errorf("offered_qos_profiles: %w", err)
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) == 0 || n.Content[0].Kind == yaml.ScalarNode {
		return nil, nil // empty, null, or not a profile
	}
	return parseQoS(n.Content[0])
}

// qosText returns the profiles as the text that Humble's metadata.yaml and MCAP channels hold; empty without profiles.
func qosText(qs []QoS) string {
	if len(qs) == 0 {
		return ""
	}
	var ys []yamlQoS[int]
	for _, q := range qs {
		ys = append(ys, yamlQoS[int]{
			History: int(q.History), Depth: q.Depth, Reliability: int(q.Reliability), Durability: int(q.Durability),
			Deadline: toYAMLTime(q.Deadline), Lifespan: toYAMLTime(q.Lifespan), Liveliness: int(q.Liveliness), Lease: toYAMLTime(q.Lease), RawNames: q.RawNames,
		})
	}
	b, err := yaml.Marshal(ys)
	if err != nil {
		panic("bag: " + err.Error()) // a struct of plain fields
	}
	return string(b)
}
