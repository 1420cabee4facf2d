package ros

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"ugp_explorer/node/ros/internal/spelling"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
)

// qosOverrides are the parameters, in the form of rclcpp, by which a user sets policies of the
// publishers and subscriptions of a node:
//
//	qos_overrides./field/odom.subscription.reliability: best_effort
//
// The topic is the full name after remapping. A node declares those that are given, and only for
// its start: an endpoint keeps its QoS.
type qosOverrides struct {
	given map[qosEnd][]string // policies, in the order in which they were given
}

// qosEnd is one end of a topic.
type qosEnd struct {
	topic, end string // end is "publisher" or "subscription"
}

func (e qosEnd) parameter(policy string) string {
	return names.QoSOverrides + e.topic + "." + e.end + "." + policy
}

// qosPolicy is a policy that can be overridden: one of words, or an integer from least on.
type qosPolicy struct {
	words     []string
	least     float64
	unit      string
	publisher bool // not of subscriptions
	set       func(q *QoS, v param.Value)
}

var qosPolicies = map[string]qosPolicy{
	"reliability":               {words: []string{"reliable", "best_effort"}, set: func(q *QoS, v param.Value) { q.Reliability = Reliability(wordIndex(v, "best_effort")) }},
	"durability":                {words: []string{"volatile", "transient_local"}, set: func(q *QoS, v param.Value) { q.Durability = Durability(wordIndex(v, "transient_local")) }},
	"history":                   {words: []string{"keep_last", "keep_all"}, set: func(q *QoS, v param.Value) { q.History = History(wordIndex(v, "keep_all")) }},
	"liveliness":                {words: []string{"automatic", "manual_by_topic"}, set: func(q *QoS, v param.Value) { q.Liveliness = Liveliness(wordIndex(v, "manual_by_topic")) }},
	"depth":                     {least: 1, set: func(q *QoS, v param.Value) { q.Depth = int(v.Any().(int64)) }},
	"deadline":                  {unit: "ns", set: func(q *QoS, v param.Value) { q.Deadline = rmwDuration(v) }},
	"lifespan":                  {unit: "ns", publisher: true, set: func(q *QoS, v param.Value) { q.Lifespan = rmwDuration(v) }},
	"liveliness_lease_duration": {unit: "ns", set: func(q *QoS, v param.Value) { q.Lease = rmwDuration(v) }},
}

func wordIndex(v param.Value, second string) uint8 {
	if v.Any() == second {
		return 1
	}
	return 0
}

// rmwDuration returns a duration in ns, of which rmw has two that mean none: 0 and the largest.
func rmwDuration(v param.Value) time.Duration {
	if ns := v.Any().(int64); ns < math.MaxInt64 {
		return time.Duration(ns)
	}
	return 0
}

// declareQoSOverrides declares the overrides that are given for the node.
func (n *Node) declareQoSOverrides(o *param.Overrides) error {
	n.qos.given = map[qosEnd][]string{}
	var errs []error
	for _, a := range o.Beginning(n.full, names.QoSOverrides) {
		end, policy, err := parseQoSOverride(a.Name)
		if err != nil {
			errs = append(errs, &param.Error{File: a.File, Line: a.Line, Node: n.full, Name: a.Name, Reason: err.Error()})
			continue
		}
		if slices.Contains(n.qos.given[end], policy) {
			continue
		}
		n.qos.given[end] = append(n.qos.given[end], policy)
		if _, declared := n.parameters.Get(a.Name); declared {
			continue
		}
		p := qosPolicies[policy]
		about := param.Describe(fmt.Sprintf("%s of the %s on %s", strings.ReplaceAll(policy, "_", " "), end.end, end.topic))
		if p.words != nil {
			word := p.words[0]
			n.parameters.String(&word, a.Name, param.OneOf(p.words...), about)
			continue
		}
		number := int64(p.least)
		n.parameters.Int64(&number, a.Name, param.AtLeast(p.least), param.Unit(p.unit), about)
	}
	if len(n.qos.given) > 0 {
		n.After(qosPatience, n.tellUnusedQoS)
	}
	return errors.Join(errs...)
}

// parseQoSOverride takes the name of a parameter apart.
func parseQoSOverride(name string) (e qosEnd, policy string, err error) {
	const form = "want qos_overrides./TOPIC.publisher.POLICY or qos_overrides./TOPIC.subscription.POLICY"
	parts := strings.Split(strings.TrimPrefix(name, names.QoSOverrides), ".")
	if len(parts) != 3 || names.ValidateFull(parts[0]) != nil {
		return e, "", errors.New(form + ", with the full name of the topic")
	}
	e = qosEnd{parts[0], parts[1]}
	if e.end != PublisherEnd.String() && e.end != SubscriptionEnd.String() {
		return e, "", fmt.Errorf("%q is no end of a topic; %s", e.end, form)
	}
	if e.topic == "/rosout" {
		return e, "", errors.New("the QoS of /rosout is fixed")
	}
	allowed := slices.Sorted(maps.Keys(qosPolicies))
	if e.end == SubscriptionEnd.String() {
		allowed = slices.DeleteFunc(allowed, func(name string) bool { return qosPolicies[name].publisher })
	}
	if !slices.Contains(allowed, parts[2]) {
		text := fmt.Sprintf("a %s has no policy %q that can be set; allowed are %s", e.end, parts[2], strings.Join(allowed, ", "))
		if near := spelling.Nearest(parts[2], allowed); near != "" {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return e, "", errors.New(text)
	}
	return e, parts[2], nil
}

// overridden returns the QoS of an endpoint on a topic with that full name.
func (n *Node) overridden(topic string, kind EndpointKind, q QoS) (QoS, error) {
	e := qosEnd{topic, kind.String()}
	policies := n.qos.given[e]
	if len(policies) == 0 {
		return q, nil
	}
	before := q
	for _, policy := range policies {
		v, _ := n.parameters.Get(e.parameter(policy))
		qosPolicies[policy].set(&q, v)
	}
	if err := q.Validate(); err != nil {
		return q, fmt.Errorf("ros: node %s: %s…: %w", n.full, names.QoSOverrides+e.topic+"."+e.end, err)
	}
	if q != before {
		n.log.Info("the QoS is set by parameters", "topic", topic, "end", e.end, "qos", q.String(), "instead_of", before.String())
	}
	return q, nil
}

// qosPatience is the time after which a node says which overrides it has not used.
const qosPatience = 10 * time.Second

// tellUnusedQoS says which overrides are for endpoints that the node does not have.
func (n *Node) tellUnusedQoS() {
	has := map[qosEnd]bool{}
	for _, e := range n.tr.Endpoints("") {
		if e.Node == n.full {
			has[qosEnd{e.Name, e.Kind.String()}] = true
		}
	}
	for e, policies := range n.qos.given {
		if !has[e] {
			n.log.Info("an override of QoS has no effect so far: the node has no such end of the topic; full names after remapping count",
				"topic", e.topic, "end", e.end, "policies", strings.Join(policies, ", "))
		}
	}
}
