// Package watch reports what a node waits for, and what the graph has instead.
package watch
