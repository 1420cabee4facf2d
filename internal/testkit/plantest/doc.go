// Package plantest holds fields, models and data for the tests of the planner and of the
// packages that build on it.
package plantest
