package main

import "ugp_explorer/msgs/internal/idl"

// action writes an action's messages and services.
func (f *file) action(a *idl.Action) error {
	_, name := split(a.Name)
	f.comment("", append([]string{name + " is the name of the action " + a.Name + "."}, a.Comment...))
	f.printf("const %s = %q\n\n", name, a.Name)
	for _, m := range []*idl.Message{a.Goal, a.Result, a.Feedback, a.FeedbackMessage} {
		if err := f.message(m); err != nil {
			return err
		}
	}
	for _, s := range []*idl.Service{a.SendGoal, a.GetResult} {
		if err := f.service(s); err != nil {
			return err
		}
	}
	return nil
}
