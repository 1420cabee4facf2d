package ros

import (
	"errors"
	"regexp"

	"ugp_explorer/msgs"
	tdi "ugp_explorer/msgs/type_description_interfaces"
	"ugp_explorer/node/ros/param"
)

// typeDescriptionParameter is the parameter of rclcpp, from Jazzy on, that turns the service off.
const typeDescriptionParameter = "start_type_description_service"

func declareTypeDescription(set *param.Set) {
	declareSwitch(set, typeDescriptionParameter, true, param.Describe("offer the service ~/get_type_description, which describes the message types that the node uses"))
}

// serveTypeDescription offers ~/get_type_description, as nodes of ROS 2 Jazzy and later do, unless
// its parameter is false or the transport, that of an older distribution, does not know its type.
func (n *Node) serveTypeDescription() error {
	if !n.switched(typeDescriptionParameter) {
		return nil
	}
	_, err := Serve(n, "~/get_type_description", n.describeType)
	if errors.Is(err, ErrUnknownType) {
		n.log.Debug("a service is not offered", "error", err.Error())
		return nil
	}
	return err
}

// rihs01 is the form of a type hash.
var rihs01 = regexp.MustCompile(`^RIHS01_[0-9a-f]{64}$`)

// describeType answers as rcl does: it describes only types of the node's own endpoints.
func (n *Node) describeType(req *tdi.GetTypeDescriptionRequest, res *tdi.GetTypeDescriptionResponse) {
	if !rihs01.MatchString(req.TypeHash_) {
		res.FailureReason = "Failed to parse type hash " + Printable(req.TypeHash_, 100) + ": want RIHS01_ and 64 hexadecimal digits"
		return
	}
	name, other := n.typeInUse(req.TypeName_, req.TypeHash_)
	if name == "" {
		res.FailureReason = "Type not currently in use by this node: " + Printable(req.TypeName_, 255) + " " + req.TypeHash_
		if other != "" {
			res.FailureReason += "; it has " + other
		}
		return
	}
	d, sources, err := msgs.Describe(name)
	if err != nil {
		res.FailureReason = err.Error()
		return
	}
	res.Successful, res.TypeDescription = true, d
	if req.IncludeTypeSources {
		res.TypeSources = sources
	}
}

// typeInUse returns the name of the type with that hash, and with that name unless it is empty,
// among the types of the node's endpoints, "" if there is none. other is the hash with which the
// node uses a type of that name.
func (n *Node) typeInUse(name, hash string) (found, other string) {
	for _, e := range n.tr.Endpoints("") {
		if e.Node != n.full || name != "" && e.Type != name {
			continue
		}
		switch own, known := msgs.TypeHash(e.Type); {
		case known && own == hash:
			return e.Type, ""
		case known && name != "":
			other = own
		}
	}
	return "", other
}
