// Package idl reads ROS 2 interface definitions (.msg, .srv and .action files) and works out what follows from them: the full definition text that bags hold and the
// RIHS01 type hash of REP-2011 and REP-2016.
package idl

import (
	"fmt"
	"maps"
	"slices"
)

// Unbounded is the Bound or StringBound of a type that has none.
const Unbounded = 0

// Kind is how many elements a field has.
type Kind int

// The kinds, in the order of the hash's type codes (REP-2016).
const (
	Single   Kind = iota // T
	Array                // T[N]
	Bounded              // T[<=N]
	Sequence             // T[]
)

// Type is the type of a field.
type Type struct {
	Base        string // a primitive, as in "float64", or the full name of a message, as in "geometry_msgs/msg/Point"
	Kind        Kind
	Size        int // N of an array or a bounded sequence
	StringBound int // N of string<=N
}

// Primitive reports whether t, or its elements, are of a type of the language's own.
func (t Type) Primitive() bool { _, ok := primitives[t.Base]; return ok }

// Field is one field of a message.
type Field struct {
	Name    string
	Type    Type
	Default string   // as it is written; empty without one
	Above   []string // the comment lines above the field
	Beside  string   // the comment beside it
}

// Constant is one constant of a message.
type Constant struct {
	Name   string
	Type   string // a primitive
	Value  string // in Go's spelling; a string without its quotes
	Above  []string
	Beside string
}

// Message is a message, one half of a service, or one of the messages of an action.
type Message struct {
	Name      string   // full: "geometry_msgs/msg/Point", "std_srvs/srv/SetBool_Request", "nav2_msgs/action/NavigateToPose_Goal"
	Comment   []string // the comment at the top of the file
	Text      string   // the definition as it is written
	Fields    []Field
	Constants []Constant
}

// Service is a service with its halves.
type Service struct {
	Name              string // full: "std_srvs/srv/SetBool"
	Comment           []string
	Request, Response *Message
}

// Action is an action with its messages, and what rosidl makes of them: the message of the feedback topic and two services. The third service,
// action_msgs/srv/CancelGoal, and the status, action_msgs/msg/GoalStatusArray, are of every action.
type Action struct {
	Name     string // full: "nav2_msgs/action/NavigateToPose"
	Comment  []string
	Messages []*Message // goal, result, feedback, message of the feedback
	Services []*Service // that sends goals, that gets the result
}

// Library holds definitions by full name and answers what needs more than one of them.
type Library struct {
	Messages map[string]*Message
	Services map[string]*Service
	Actions  map[string]*Action
}

// NewLibrary returns an empty Library.
func NewLibrary() *Library {
	return &Library{Messages: map[string]*Message{}, Services: map[string]*Service{}, Actions: map[string]*Action{}}
}

// Add parses a definition, text, of the interface with the given full name ("pkg/msg/T", "pkg/srv/T" or "pkg/action/T") and adds it.
func (l *Library) Add(name, text string) error {
	pkg, dir, err := splitName(name)
	if err != nil {
		return err
	}
	switch dir {
	case "msg":
		m, err := parseMessage(pkg, name, text)
		if err != nil {
			return err
		}
		return l.addMessage(m)
	case "srv":
		s, err := parseService(pkg, name, text)
		if err != nil {
			return err
		}
		return l.addService(s)
	}
	a, err := parseAction(pkg, name, text)
	if err != nil {
		return err
	}
	l.Actions[name] = a
	for _, m := range a.Messages {
		if err := l.addMessage(m); err != nil {
			return err
		}
	}
	for _, s := range a.Services {
		if err := l.addService(s); err != nil {
			return err
		}
	}
	return nil
}

func (l *Library) addService(s *Service) error {
	l.Services[s.Name] = s
	if err := l.addMessage(s.Request); err != nil {
		return err
	}
	return l.addMessage(s.Response)
}

func (l *Library) addMessage(m *Message) error {
	if l.Messages[m.Name] != nil {
		return fmt.Errorf("%s is defined twice", m.Name)
	}
	l.Messages[m.Name] = m
	return nil
}

// Check returns an error for the first field, in the order of the messages' names, whose type no definition gives, or that contains itself.
func (l *Library) Check() error {
	for _, name := range slices.Sorted(maps.Keys(l.Messages)) {
		if _, err := l.Dependencies(name); err != nil {
			return err
		}
	}
	return nil
}
