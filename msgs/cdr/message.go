package cdr

import "strings"

// Message is what crosses a transport: something with a ROS type name that turns into CDR and back.
type Message interface {
	// TypeName returns the ROS name, as in "geometry_msgs/msg/PoseStamped".
	TypeName() string
	// AppendCDR appends the encapsulation header and the message, little endian, to dst and returns the extended slice.
	AppendCDR(dst []byte) []byte
	// UnmarshalCDR sets every field from src, header included, in either byte order. It reuses the slices that the message has, and the strings where
	// they are equal, and keeps no reference to src. After an error the fields are in no particular state.
	UnmarshalCDR(src []byte) error
}

// Described is a Message that knows its own definition, as every generated message does.
type Described interface {
	Message
	// OwnDefinition returns the type's own fields and constants in the .msg language.
	OwnDefinition() string
	// Definition returns OwnDefinition followed by the definitions of all types that it needs, in rosbag2's ros2msg form.
	Definition() string
	// TypeHash returns the RIHS01 hash of REP-2016.
	TypeHash() string
}

// ServiceMessage is one half of a service.
type ServiceMessage interface {
	Described
	// ServiceType returns the service that the message is a request or a response of.
	ServiceType() Service
}

// Service describes a service type.
type Service struct {
	TypeName    string // as in "std_srvs/srv/Trigger"
	TypeHash    string // RIHS01 hash of the service, which differs from its halves'
	NewRequest  func() ServiceMessage
	NewResponse func() ServiceMessage
}

// Definition joins a type's own text and those of its dependencies as rosbag2 does: before each dependency an empty line, a line of 80 "=", and a line
// "MSG: package/Type". Generated code calls it with nil pointers of the right types.
func Definition(root Described, dependencies ...Described) string {
	var b strings.Builder
	b.WriteString(root.OwnDefinition())
	for _, d := range dependencies {
		b.WriteString("\n" + separator + "\nMSG: " + strings.Replace(d.TypeName(), "/msg/", "/", 1) + "\n")
		b.WriteString(d.OwnDefinition())
	}
	return b.String()
}

var separator = strings.Repeat("=", 80)
