// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

import "golang.org/x/sys/cpu"

// hasPair reports whether the processor has the instructions of the functions below.
var hasPair = cpu.X86.HasAVX

// solvePair solves two rows of a triangle, a and b, for the [lanes] numbers at y and those at y+stride. The n rows of z, stride apart,
// are what is solved, and the corner is the triangle that the two rows are of each other, with the inverses of its diagonal: the entry
// between them is the second. It subtracts product by product in the order of the rows and rounds each product, as gonum does here, so that
// results do not depend on the processor. gonum uses two lanes, and this four, with z read once for both rows: half the time.
//
//go:noescape
func solvePair(y, z *float64, stride int, a, b *float64, n int, corner *[3]float64)

// forwardFour solves rows n to n+3 of a triangle for z, of which the first n entries are solved. n is a multiple of four.
//
//go:noescape
func forwardFour(z, rows *float64, n int)

// backwardFour solves columns n to n+3 of a triangle for z, from which it subtracts them left of that, the last row first. n is a
// multiple of four.
//
//go:noescape
func backwardFour(z, rows *float64, n int)
