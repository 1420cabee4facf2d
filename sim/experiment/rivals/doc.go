// Package rivals holds published methods for a robot that pays for its way, to compare the
// explorer with, and a reference that knows the field. Experiments choose them by name
// ([Catalogue]); a robot in a field never does.
//
//   - "snake" is SnAKe (Folch et al., NeurIPS 2022, arXiv:2202.00060): a tour of Thompson
//     samples' maxima, made anew after each sample.
//   - "batch" visits the batches of GP-BUCB (Desautels, Krause and Burdick, JMLR 2014) in the
//     order of a short tour, as The Traveling Bandit (Chen and Al Kontar, arXiv:2410.14533).
//   - "tours" compares paths through several targets by the expected value of the place that is
//     recommended after their readings.
//   - "clairvoyant" knows where the field is highest. No method that has to find out can be
//     expected to be better.
//
// All of them keep to what the explorer keeps to: the field, its keep-outs, lengths of paths
// that keep the margin, the way home and the budgets. A [planner.Request] states these.
package rivals
