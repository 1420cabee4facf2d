// Package experiment repeats the paper's first two experiments: the optimisation
// of functions of the kernel's own space (rkhs) and of one that is not
// (michalewicz), by uGP-UCB and its rivals, with execution, localisation and
// observation noise.
//
//   - [Problems] lists the experiments, a [Plan] says which methods meet them
//     under which [Setting], for how long and how often; its [Job]s are trials.
//   - [Plan.Trial] runs one. What a trial draws depends on the plan's seed and
//     the trial's number alone: every method meets the same function, the same
//     noise and the same first target.
//   - A [Tournament] has methods and their settings, each an [Entry], meet on
//     [Arena]s, the fields that they may come to, with hyper-parameters learnt on the
//     way; [Tournament.Play] runs a [Match].
//   - A [ShadowPlan] compares ways to deal with samples on fields where localisation is
//     good in one part and poor in another (shadow).
//   - [Run] does jobs in parallel, a [Log] keeps what they came to, so that a run
//     that was broken off goes on where it was.
//   - [WriteCSV] and [Plan.Table] say what came of it.
//
// The functions and their expected values share no code with the models that are
// tried on them. README.md has the results.
package experiment
