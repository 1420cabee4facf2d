package rivals

import "ugp_explorer/planner"

// Names of the methods of this package.
const (
	Snake       = "snake"
	Batch       = "batch"
	Clairvoyant = "clairvoyant"
	Tours       = "tours"
)

// Names returns the names of the methods of this package.
func Names() []string { return []string{Snake, Batch, Tours, Clairvoyant} }

// Help describes the methods of this package in a line.
func Help() string {
	return "snake, a tour of Thompson samples' maxima that is made anew after each sample; batch, batches in the order of a tour; tours, the path over several targets after which the recommended place is expected to be best; clairvoyant, a reference that knows where the field is highest"
}

// Catalogue returns the robot's methods and schedules and the methods of this package. maximum
// returns where the true field is highest, m; only "clairvoyant" calls it, at its decisions.
func Catalogue(maximum func() []float64) planner.Catalogue {
	c := planner.Robot()
	c.Methods = append(c.Methods,
		planner.Choosing(planner.Method{Name: Snake, Description: "SnAKe: a tour of Thompson samples' maxima, made anew after each sample", Form: planner.FormBelief}, newSnake),
		planner.Choosing(planner.Method{Name: Batch, Description: "batches by upper confidence bounds, visited in the order of a short tour", Form: planner.FormBelief, Weighted: true}, newBatch),
		planner.Choosing(planner.Method{Name: Tours, Description: "the path over several targets with the largest expected value of the place recommended after it", Form: planner.FormBelief}, newTours),
		planner.Choosing(planner.Method{Name: Clairvoyant, Description: "a reference that knows where the field is highest: six targets over the field, the others about that place", Form: planner.FormBelief}, newClairvoyant(maximum)),
	)
	return c
}
