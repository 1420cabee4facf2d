package idl

// Action is an action with its three messages, and what rosidl makes of them: two services and the message of the feedback topic. The third service,
// action_msgs/srv/CancelGoal, and the status, action_msgs/msg/GoalStatusArray, are of every action.
type Action struct {
	Name                   string // full: "nav2_msgs/action/NavigateToPose"
	Comment                []string
	Goal, Result, Feedback *Message
	SendGoal, GetResult    *Service
	FeedbackMessage        *Message
}

func parseAction(pkg, short, text string) (*Action, error) {
	a := &Action{Name: pkg + "/action/" + short}
	parts, err := divide(a.Name, text, "goal", "result", "feedback")
	if err != nil {
		return nil, err
	}
	for i, m := range []**Message{&a.Goal, &a.Result, &a.Feedback} {
		if *m, err = parseMessage(pkg, a.Name+[...]string{"_Goal", "_Result", "_Feedback"}[i], parts[i]); err != nil {
			return nil, err
		}
	}
	a.Comment, a.Goal.Comment = a.Goal.Comment, nil
	const id, stamp = "unique_identifier_msgs/UUID goal_id\n", "builtin_interfaces/Time stamp\n"
	implicit := func(name, written string, own *Message, field string) *Message {
		m, perr := parseMessage(pkg, a.Name+name, written)
		if perr != nil {
			panic(perr) // written here
		}
		if own != nil {
			m.Text += own.Name + " " + field + "\n"
			m.Fields = append(m.Fields, Field{Name: field, Type: Type{Base: own.Name}})
		}
		return m
	}
	a.SendGoal = &Service{
		Name:     a.Name + "_SendGoal",
		Request:  implicit("_SendGoal_Request", id, a.Goal, "goal"),
		Response: implicit("_SendGoal_Response", "bool accepted\n"+stamp, nil, ""),
	}
	a.GetResult = &Service{
		Name:     a.Name + "_GetResult",
		Request:  implicit("_GetResult_Request", id, nil, ""),
		Response: implicit("_GetResult_Response", "int8 status\n", a.Result, "result"),
	}
	a.FeedbackMessage = implicit("_FeedbackMessage", id, a.Feedback, "feedback")
	return a, nil
}

func (l *Library) addAction(a *Action) error {
	l.Actions[a.Name] = a
	for _, m := range []*Message{a.Goal, a.Result, a.Feedback, a.FeedbackMessage} {
		if err := l.addMessage(m); err != nil {
			return err
		}
	}
	for _, s := range []*Service{a.SendGoal, a.GetResult} {
		if err := l.addService(s); err != nil {
			return err
		}
	}
	return nil
}
