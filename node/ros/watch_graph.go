package ros

import (
	"fmt"
	"slices"
	"strings"
)

// What the graph shows of an endpoint's other side, in words.

// mostNamed is how many names a sentence lists.
const mostNamed = 3

func topicAndType(e EndpointInfo) string { return e.Name + " [" + e.Type + "]" }

// other is the kind of the other side.
func (k EndpointKind) other() EndpointKind { return k ^ 1 }

// facing returns the nodes that have an endpoint on the other side of own; of those
// that own cannot be matched with, why; and whether one of all has own's type.
func (n *Node) facing(own EndpointInfo) (fitting, strange []string, typed bool) {
	for _, o := range n.tr.Endpoints(own.Name) {
		if o.Kind != own.Kind.other() {
			continue
		}
		typed = typed || o.Type == own.Type
		if why := Mismatch(own, o); why != nil {
			strange = append(strange, o.Owner()+" does not fit: "+strings.Join(why, ", "))
		} else {
			fitting = append(fitting, o.Owner())
		}
	}
	slices.Sort(fitting)
	return slices.Compact(fitting), strange[:min(len(strange), mostNamed)], typed
}

// peers names the nodes on the other side that own can be matched with.
func (n *Node) peers(own EndpointInfo) string {
	if fitting, _, _ := n.facing(own); fitting != nil {
		return enumerate(fitting)
	}
	return "the " + own.Kind.other().String() // gone by now, or of another definition: see strangers
}

// absence says why own is matched with nothing: nobody is there, who is there but
// does not fit and why, and where what would fit is instead.
func (n *Node) absence(own EndpointInfo) string {
	fitting, strange, typed := n.facing(own)
	var text []string
	switch {
	case fitting != nil:
		text = append(text, strings.Join(append([]string{enumerate(fitting) + " is there, but is not matched"}, n.policies[own.GUID]...), ", "))
	case strange == nil:
		text = append(text, "no "+own.Kind.other().String())
	}
	text = append(text, strange...)
	if !typed {
		text = append(text, n.elsewhere(own)...)
	}
	return strings.Join(text, "; ")
}

// strangers says who on the other side does not fit own, beside those who do.
func (n *Node) strangers(own EndpointInfo) string {
	_, strange, _ := n.facing(own)
	if strange == nil {
		return ""
	}
	return "; " + strings.Join(strange, "; ")
}

// elsewhere names topics on which own would be matched, those first that are
// called most alike: a remapping or a namespace that was forgotten.
func (n *Node) elsewhere(own EndpointInfo) []string {
	var topics []string
	for _, o := range n.tr.Endpoints("") {
		if o.Kind == own.Kind.other() && o.Name != own.Name && o.Node != own.Node && o.Type == own.Type {
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
	if own.Kind == PublisherEnd {
		return []string{enumerate(topics) + be + " subscribed to with that type"}
	}
	return []string{enumerate(topics) + have + " that type"}
}

// alike returns how many parts two names have in common at the end.
func alike(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	k := 0
	for k < len(as) && k < len(bs) && as[len(as)-1-k] == bs[len(bs)-1-k] {
		k++
	}
	return k
}

// Owner names the node of an endpoint. One that is no ROS node's, or was not
// announced yet, has none.
func (e EndpointInfo) Owner() string {
	if e.Node == "" {
		return fmt.Sprintf("a %v without a node's name", e.Kind)
	}
	return e.Node
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
