// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/node/ros"
)

// mostNamed is the number of names that a sentence lists.
const mostNamed = 3

func topicAndType(e ros.EndpointInfo) string { return e.Name + " [" + e.Type + "]" }

// facing returns the nodes with an endpoint that matches own, descriptions of those that
// do not fit, and whether any endpoint on the other side has own's type.
func facing(n *ros.Node, own ros.EndpointInfo) (fitting, strange []string, typed bool) {
	for _, o := range n.Endpoints(own.Name) {
		if o.Kind != own.Kind.Opposite() {
			continue
		}
		typed = typed || o.Type == own.Type
		if why := ros.Mismatch(own, o); why != nil {
			strange = append(strange, o.Owner()+" does not fit: "+strings.Join(why, ", "))
		} else {
			fitting = append(fitting, o.Owner())
		}
	}
	slices.Sort(fitting)
	return slices.Compact(fitting), strange[:min(len(strange), mostNamed)], typed
}

// peers lists the nodes with an endpoint that matches own.
func peers(n *ros.Node, own ros.EndpointInfo) string {
	if fitting, _, _ := facing(n, own); fitting != nil {
		return enumerate(fitting)
	}
	return "the " + own.Kind.Opposite().String() // gone by now, or of another definition: see strangers
}

// simulated reports whether a node of the graph publishes simulated time, or that of a bag.
func simulated(n *ros.Node) bool {
	return slices.ContainsFunc(n.Endpoints("/clock"), func(o ros.EndpointInfo) bool { return o.Kind == ros.PublisherEnd })
}

// absence explains why own has no match: nobody is there, or an endpoint does not fit;
// and it lists other topics that may be offered and on which own would have a match.
func absence(n *ros.Node, own ros.EndpointInfo, offers Offers) string {
	fitting, strange, typed := facing(n, own)
	var text []string
	switch {
	case fitting != nil:
		text = append(text, enumerate(fitting)+" is there, but is not matched")
	case strange == nil:
		text = append(text, "no "+own.Kind.Opposite().String())
	}
	text = append(text, strange...)
	if !typed {
		text = append(text, elsewhere(n, own, offers)...)
	}
	return strings.Join(text, "; ")
}

// strangers describes the endpoints that do not fit own, for a sentence about those that
// do.
func strangers(n *ros.Node, own ros.EndpointInfo) string {
	_, strange, _ := facing(n, own)
	if strange == nil {
		return ""
	}
	return "; " + strings.Join(strange, "; ")
}

// elsewhere lists the topics that may be offered and on which own would have a match, those with the most similar
// names first: perhaps a remapping or a namespace was forgotten.
func elsewhere(n *ros.Node, own ros.EndpointInfo, offers Offers) []string {
	var topics []string
	for _, o := range n.Endpoints("") {
		if o.Kind == own.Kind.Opposite() && o.Name != own.Name && o.Node != own.Node && o.Type == own.Type && offers(o.Name) {
			topics = append(topics, o.Name)
		}
	}
	if topics == nil {
		return nil
	}
	slices.SortFunc(topics, func(a, b string) int {
		if d := alike(b, own.Name) - alike(a, own.Name); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	topics = slices.Compact(topics)
	be, have := " is", " has"
	if len(topics) > 1 {
		be, have = " are", " have"
	}
	if own.Kind == ros.PublisherEnd {
		return []string{enumerate(topics) + be + " subscribed to with that type"}
	}
	return []string{enumerate(topics) + have + " that type"}
}

// alike returns the number of parts that two names share at their ends.
func alike(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	k := 0
	for k < len(as) && k < len(bs) && as[len(as)-1-k] == bs[len(bs)-1-k] {
		k++
	}
	return k
}

// enumerate returns "a", "a and b", or "a, b, c and 2 more".
func enumerate(names []string) string {
	if more := len(names) - mostNamed; more > 0 {
		names = append(slices.Clone(names[:mostNamed]), fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
