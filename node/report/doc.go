// Package report shows the record of a mission to people: PNG pictures and the page
// report.html, which contains them. Package record holds the data.
//
// Pictures are drawn with gonum.org/v1/plot. Values are in the user's units if the
// transform of the mission can be undone, and in model units otherwise.
package report
