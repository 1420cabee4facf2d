package planner

import (
	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
)

// membersOf returns the members, or the model as the only member if there are none.
func membersOf(model *gp.GP, members fit.Mixture) fit.Mixture {
	if len(members) == 0 {
		return fit.Mixture{{Model: model, Weight: 1}}
	}
	return members
}
