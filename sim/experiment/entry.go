package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment/paper"
)

// Entry is a method with its settings, as it enters a [Tournament].
type Entry struct {
	Text   string // as given
	Method string
	Beta   float64

	Recommend  planner.Recommend
	Likelihood bool      // learns the hyper-parameters by the restricted likelihood without priors, nearly as in the paper
	Kinds      []gp.Kind // kernels from which each fit chooses
	Average    int       // number of hyper-parameters that decisions are averaged over; less than 2: the fit alone
	Known      bool      // is told the hyper-parameters of the field and does not fit them
	Spread     int       // number of first samples that are spread over the space
}

// EntryOptions lists the settings that may follow an entry's method, for people.
const EntryOptions = "+beta=NUMBER, +recommend=target|anywhere, +kernel=se|matern52|matern32|matern12|rq|matern|auto, +average=K, +spread=K, +likelihood, +known"

// ParseEntry reads a method and its settings, such as
//
//	ugp-ucb+beta=1+recommend=anywhere
//
// The defaults are those of the paper's experiment with a robot: β = 3, past targets
// recommended, a squared exponential. Only the fit has priors, unless it is by likelihood.
func ParseEntry(text string) (Entry, error) {
	words := strings.Split(text, "+")
	e := Entry{Text: text, Method: words[0], Beta: 3, Recommend: planner.RecommendTarget, Kinds: []gp.Kind{gp.SquaredExponential}}
	if _, err := paper.Catalogue().Method(e.Method); err != nil {
		return e, fmt.Errorf("%w: %q: %w", ErrPlan, text, err)
	}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "beta":
			e.Beta, err = fixedBeta(value)
		case "recommend":
			if e.Recommend = planner.Recommend(value); !slices.Contains(planner.Recommends(), e.Recommend) {
				err = fmt.Errorf("want one of %v", planner.Recommends())
			}
		case "average":
			e.Average, err = number(value)
		case "likelihood":
			e.Likelihood = true
		case "known":
			e.Known = true
		case "spread":
			e.Spread, err = number(value)
		case "kernel":
			e.Kinds, err = gp.ParseKinds(value)
		default:
			err = fmt.Errorf("there is no such setting, want %s", EntryOptions)
		}
		if err != nil {
			return e, fmt.Errorf("%w: %q: %q: %w", ErrPlan, text, word, err)
		}
	}
	return e, nil
}

func fixedBeta(text string) (float64, error) {
	beta, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("want a number ≥ 0")
	}
	return beta, planner.Fixed(beta).Validate()
}

func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1000 {
		return 0, fmt.Errorf("want a number from 0 to 1000")
	}
	return n, nil
}
