// Package report keeps the record of a mission and shows it: mission.json for
// programs, report.html and PNG pictures for people.
//
// The record is plain data. It knows no filter and no message, so a robot's node,
// the demonstration and the replay of a bag fill it alike. Places are metres in the
// map frame, x east and y north, unless a comment says otherwise. Pictures are drawn
// with gonum.org/v1/plot.
//
// # Units
//
// A mission may transform its readings before the Gaussian process sees them.
// "User's units" are those of the sensor (Mission.Units); "model units" are the
// result of Mission.Transform. Without a transform they are the same. Every field
// says which it is in. The report is in the user's units wherever the transform can
// be undone.
//
// # Numbers that are unknown
//
// JSON has no NaN and no infinity. A float64 of the record that is not finite is
// written as null, and null is read as NaN: an unknown number is NaN.
package report
