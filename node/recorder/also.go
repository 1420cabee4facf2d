package recorder

import (
	"slices"

	"ugp_explorer/node/ros"
)

// also are subscriptions to topics that are only recorded. The node's tap hears their
// messages.
type also struct {
	node  *ros.Node
	subs  map[string]*ros.Subscription // by full name
	wrong map[string]bool              // topics that cannot be subscribed to
}

func newAlso(node *ros.Node) also {
	return also{node: node, subs: map[string]*ros.Subscription{}, wrong: map[string]bool{}}
}

// alsoDepth is the number of messages of a topic that may wait for the node: a quarter of a
// second of an IMU at 400 Hz.
const alsoDepth = 100

// look subscribes to the topics that other nodes publish and this one does not hear yet.
func (a *also) look(topics []string) {
	for _, topic := range topics {
		name, err := a.node.ResolveTopic(topic)
		if err != nil {
			a.fail(topic, err)
			continue
		}
		if a.subs[name] != nil || a.wrong[name] {
			continue
		}
		ends := a.node.Endpoints(name)
		i := slices.IndexFunc(ends, a.isPublisher)
		if i < 0 || slices.ContainsFunc(ends, func(e ros.EndpointInfo) bool { return e.Kind == ros.SubscriptionEnd && e.Node == a.node.FullName() }) {
			continue
		}
		q := ros.SensorData().WithDepth(alsoDepth)
		if !slices.ContainsFunc(ends, func(e ros.EndpointInfo) bool { return a.isPublisher(e) && e.QoS.Durability != ros.TransientLocal }) {
			q = ros.Latched().WithDepth(alsoDepth)
		}
		sub, err := ros.SubscribeRaw(a.node, name, ends[i].Type, ends[i].TypeHash, q, func([]byte, ros.MessageInfo) {})
		if err != nil {
			a.fail(name, err)
			continue
		}
		a.subs[name] = sub
	}
}

func (a *also) isPublisher(e ros.EndpointInfo) bool {
	return e.Kind == ros.PublisherEnd && e.Node != a.node.FullName()
}

// fail says once that a topic cannot be recorded.
func (a *also) fail(name string, err error) {
	if !a.wrong[name] {
		a.wrong[name] = true
		a.node.Logger().Warn("a topic cannot be recorded", "topic", name, "error", err.Error())
	}
}

// close ends the subscriptions.
func (a *also) close() {
	for name, sub := range a.subs {
		if err := sub.Close(); err != nil {
			a.node.Logger().Warn("a subscription was not closed", "topic", name, "error", err.Error())
		}
		delete(a.subs, name)
	}
}
