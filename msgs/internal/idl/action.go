package idl

func parseAction(pkg, name, text string) (*Action, error) {
	a := &Action{Name: name}
	parts, err := divide(name, text, "goal", "result", "feedback")
	if err != nil {
		return nil, err
	}
	for i, part := range [...]string{"_Goal", "_Result", "_Feedback"} {
		m, err := parseMessage(pkg, name+part, parts[i])
		if err != nil {
			return nil, err
		}
		a.Messages = append(a.Messages, m)
	}
	goal, result, feedback := a.Messages[0], a.Messages[1], a.Messages[2]
	a.Comment, goal.Comment = goal.Comment, nil
	const id, stamp = "unique_identifier_msgs/UUID goal_id\n", "builtin_interfaces/Time stamp\n"
	implicit := func(part, written string, own *Message, field string) *Message {
		m, perr := parseMessage(pkg, name+part, written)
		if perr != nil {
			panic(perr) // written here
		}
		if own != nil {
			m.Text += own.Name + " " + field + "\n"
			m.Fields = append(m.Fields, Field{Name: field, Type: Type{Base: own.Name}})
		}
		return m
	}
	a.Messages = append(a.Messages, implicit("_FeedbackMessage", id, feedback, "feedback"))
	a.Services = []*Service{{
		Name:     name + "_SendGoal",
		Request:  implicit("_SendGoal_Request", id, goal, "goal"),
		Response: implicit("_SendGoal_Response", "bool accepted\n"+stamp, nil, ""),
	}, {
		Name:     name + "_GetResult",
		Request:  implicit("_GetResult_Request", id, nil, ""),
		Response: implicit("_GetResult_Response", "int8 status\n", result, "result"),
	}}
	return a, nil
}
