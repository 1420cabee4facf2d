// Package names checks, expands and remaps the names of nodes, topics, services and
// parameters.
package names
