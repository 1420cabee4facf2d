package bag

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Policies of a QoS. The numbers are rmw's, which bags before Jazzy hold; from Jazzy on they hold the names.
type (
	History     int
	Reliability int
	Durability  int
	Liveliness  int
)

// The values of History.
const (
	HistorySystemDefault History = iota
	KeepLast
	KeepAll
	HistoryUnknown
)

// The values of Reliability.
const (
	ReliabilitySystemDefault Reliability = iota
	Reliable
	BestEffort
	ReliabilityUnknown
	ReliabilityBestAvailable
)

// The values of Durability.
const (
	DurabilitySystemDefault Durability = iota
	TransientLocal
	Volatile
	DurabilityUnknown
	DurabilityBestAvailable
)

// The values of Liveliness.
const (
	LivelinessSystemDefault Liveliness = iota
	Automatic
	ManualByNode
	ManualByTopic
	LivelinessUnknown
	LivelinessBestAvailable
)

var (
	historyNames     = []string{"system_default", "keep_last", "keep_all", "unknown"}
	reliabilityNames = []string{"system_default", "reliable", "best_effort", "unknown", "best_available"}
	durabilityNames  = []string{"system_default", "transient_local", "volatile", "unknown", "best_available"}
	livelinessNames  = []string{"system_default", "automatic", "manual_by_node", "manual_by_topic", "unknown", "best_available"}
)

// String returns rmw's name of the policy.
func (h History) String() string { return policyName(int(h), historyNames) }

// String returns rmw's name of the policy.
func (r Reliability) String() string { return policyName(int(r), reliabilityNames) }

// String returns rmw's name of the policy.
func (d Durability) String() string { return policyName(int(d), durabilityNames) }

// String returns rmw's name of the policy.
func (l Liveliness) String() string { return policyName(int(l), livelinessNames) }

func policyName(v int, names []string) string {
	if v < 0 || v >= len(names) {
		return strconv.Itoa(v)
	}
	return names[v]
}

// Infinite is a duration of a QoS that never ends: rmw's 9223372036.854775807 s.
const Infinite time.Duration = math.MaxInt64

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
	return QoS{History: KeepLast, Depth: 10, Reliability: Reliable, Durability: Volatile, Deadline: Infinite, Lifespan: Infinite, Liveliness: Automatic, Lease: Infinite}
}

// SensorData is best effort, volatile, keep-last 5.
func SensorData() QoS {
	q := DefaultQoS()
	q.Reliability, q.Depth = BestEffort, 5
	return q
}

// Latched is reliable, transient-local, keep-last 1.
func Latched() QoS {
	q := DefaultQoS()
	q.Durability, q.Depth = TransientLocal, 1
	return q
}

type yamlTime struct {
	Sec  uint64 `yaml:"sec"`
	Nsec uint64 `yaml:"nsec"`
}

func toYAMLTime(d time.Duration) yamlTime {
	return yamlTime{uint64(d / time.Second), uint64(d % time.Second)}
}

// duration reads what is longer than a time.Duration as Infinite, as Foxy's middlewares wrote it.
func (t yamlTime) duration() time.Duration {
	if t.Sec >= 0x7fffffff || t.Nsec > uint64(math.MaxInt64)-t.Sec*uint64(time.Second) {
		return Infinite
	}
	return time.Duration(t.Sec)*time.Second + time.Duration(t.Nsec)
}

type yamlQoS struct {
	History     string   `yaml:"history"`
	Depth       int      `yaml:"depth"`
	Reliability string   `yaml:"reliability"`
	Durability  string   `yaml:"durability"`
	Deadline    yamlTime `yaml:"deadline"`
	Lifespan    yamlTime `yaml:"lifespan"`
	Liveliness  string   `yaml:"liveliness"`
	Lease       yamlTime `yaml:"liveliness_lease_duration"`
	RawNames    bool     `yaml:"avoid_ros_namespace_conventions"`
}

func policyValue(s string, names []string) int {
	if i := slices.Index(names, s); i >= 0 {
		return i
	}
	if i, err := strconv.Atoi(s); err == nil && i >= 0 && i < len(names) {
		return i
	}
	return slices.Index(names, "unknown")
}

func (y yamlQoS) qos() QoS {
	return QoS{
		History: History(policyValue(y.History, historyNames)), Depth: y.Depth,
		Reliability: Reliability(policyValue(y.Reliability, reliabilityNames)),
		Durability:  Durability(policyValue(y.Durability, durabilityNames)),
		Deadline:    y.Deadline.duration(), Lifespan: y.Lifespan.duration(),
		Liveliness: Liveliness(policyValue(y.Liveliness, livelinessNames)), Lease: y.Lease.duration(), RawNames: y.RawNames,
	}
}

// parseQoS reads a YAML sequence of profiles, or a string that holds one.
func parseQoS(n *yaml.Node) ([]QoS, error) {
	if n.Kind == yaml.ScalarNode {
		return parseQoSText(n.Value)
	}
	var ys []yamlQoS
	if err := n.Decode(&ys); err != nil {
		return nil, fmt.Errorf("offered_qos_profiles: %w", err)
	}
	var qs []QoS
	for _, y := range ys {
		qs = append(qs, y.qos())
	}
	return qs, nil
}

func parseQoSText(s string) ([]QoS, error) {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(s), &n); err != nil {
		return nil, fmt.Errorf("offered_qos_profiles: %w", err)
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) == 0 || n.Content[0].Kind == yaml.ScalarNode {
		return nil, nil // empty, null, or not a profile
	}
	return parseQoS(n.Content[0])
}

// qosNode returns the profiles as the given version of metadata.yaml has them inside: numbers before 9, names from then on.
func qosNode(qs []QoS, version int) *yaml.Node {
	seq := &yaml.Node{Kind: yaml.SequenceNode}
	if len(qs) == 0 {
		seq.Style = yaml.FlowStyle // []
	}
	for _, q := range qs {
		y := yamlQoS{
			History: q.History.String(), Depth: q.Depth, Reliability: q.Reliability.String(), Durability: q.Durability.String(),
			Deadline: toYAMLTime(q.Deadline), Lifespan: toYAMLTime(q.Lifespan), Liveliness: q.Liveliness.String(), Lease: toYAMLTime(q.Lease),
			RawNames: q.RawNames,
		}
		var n yaml.Node
		if err := n.Encode(y); err != nil {
			panic("bag: " + err.Error()) // a struct of plain fields
		}
		if version < 9 {
			for i := 0; i < len(n.Content); i += 2 {
				v := n.Content[i+1]
				switch n.Content[i].Value {
				case "history":
					v.Value, v.Tag = strconv.Itoa(int(q.History)), "!!int"
				case "reliability":
					v.Value, v.Tag = strconv.Itoa(int(q.Reliability)), "!!int"
				case "durability":
					v.Value, v.Tag = strconv.Itoa(int(q.Durability)), "!!int"
				case "liveliness":
					v.Value, v.Tag = strconv.Itoa(int(q.Liveliness)), "!!int"
				}
			}
		}
		seq.Content = append(seq.Content, &n)
	}
	return seq
}

// qosText returns qosNode as the string that files, and metadata.yaml before 9, hold. Without profiles it is empty, as with rosbag2 before Jazzy.
func qosText(qs []QoS, version int) string {
	if len(qs) == 0 && version < 9 {
		return ""
	}
	b, err := yaml.Marshal(qosNode(qs, version))
	if err != nil {
		panic("bag: " + err.Error()) // made of scalars just now
	}
	return string(b)
}
