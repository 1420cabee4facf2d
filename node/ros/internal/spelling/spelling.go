// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package spelling finds the name that a misspelt one may mean.
package spelling

import "strings"

// Nearest returns the element of names that is most similar to name, or "" if none is
// similar enough for name to be a misspelling of it. Of several equally similar ones
// it returns the first.
func Nearest(name string, names []string) string {
	best, at := "", 1+max(2, len(name)/3)
	for _, n := range names {
		if d := editDistance(strings.ToLower(name), strings.ToLower(n), at); d < at {
			best, at = n, d
		}
	}
	return best
}

// editDistance returns the number of letters to insert, delete, replace or swap with
// their neighbour to turn a into b (optimal string alignment), or limit if it is not
// less.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1)
			if a[i-1] == b[j-1] {
				row[j] = min(row[j], last[j-1])
			} else {
				row[j] = min(row[j], last[j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return min(row[len(b)], limit)
}
