// Package planner decides where a robot samples next, and what it does from
// the start of a mission to its end.
//
// The method is uGP-UCB (Oliveira, Ott and Ramos, "Bayesian optimisation under
// uncertain inputs", AISTATS 2019). Equations, theorems and Alg. 1 are those of
// the paper. A target x is judged by P̂_x = N(x, Σ̂), where the robot sent to x
// probably ends up:
//
//	x_t = argmax over the space of μ̂(P̂_x) + β_t σ̂(P̂_x) - w·ℓ(x)
//
// with ℓ(x) the length of the way there and w what a metre of it costs.
//
//   - [Space] is where targets may be: a [Box] of any dimension, or a [Region],
//     a polygon with holes, less keep-outs, shrunk by a margin. A Region also
//     knows the shortest ways inside: [Region.Path], [DistanceField].
//   - [ReadField] reads a [Field] from GeoJSON, in metres or by a [Datum].
//   - [Acquisition] is what a [Searcher] maximises: [UCB], the expected
//     improvements [EI] and [UEI], the knowledge gradient [KG], for a map the fall of the
//     [Variance], or the [Average] of one over models of several hyper-parameters. [Schedule] is UCB's β: [Fixed], the paper's [Theorem], a [Scaled] one.
//   - [Noise] has the conventions for the model's noise, [Mismatch] bounds what a
//     wrong Σ̂ costs.
//   - [LearnExecution] learns Σ̂ and a bias from where samples were probably taken,
//     [Surroundings] how well places are known; with a [Placing] targets are judged
//     place by place.
//   - [Reach] limits a decision to places that can be afforded and reached.
//   - [Strategy] is what chooses targets; [NewStrategy] makes uGP-UCB and its
//     rivals by name. [Data] is as what it wants samples to enter the model, and
//     it recommends a place in the end, one of the past targets or any ([Recommend]).
//     [Batch] has it decide for several robots.
//   - [Mission] is the pure state machine: events in, commands out.
//
// Lengths are metres, angles radians unless they are called longitude or
// latitude, x points east, y north. Nothing here reads a clock, draws from a
// random source it was not given, or logs. The same inputs give the same results.
package planner
