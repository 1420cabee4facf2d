// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

import "golang.org/x/sys/cpu"

// hasPair reports whether the processor has the instructions of the functions below.
var hasPair = cpu.X86.HasAVX

// solvePair solves two rows of a triangle, a and b, for the [lanes] numbers at y and those at y+stride. The n rows of z, stride apart, are
// solved already. The corner is the triangle in which the two rows meet: the inverse of the first diagonal entry, the entry below it, and the
// inverse of the second diagonal entry. Products are rounded and subtracted one by one in the order of the rows, as gonum does, so that
// results do not depend on the processor. This takes half of gonum's time: it has four lanes instead of two, and reads z once for both rows.
//
//go:noescape
func solvePair(y, z *float64, stride int, a, b *float64, n int, corner *[3]float64)

// forwardFour solves rows n to n+3 of a triangle for z, of which the first n entries are solved. n is a multiple of four.
//
//go:noescape
func forwardFour(z, rows *float64, n int)

// backwardFour solves columns n to n+3 of a triangle for z, the last row first, and subtracts their share from the first n entries of z. n is
// a multiple of four.
//
//go:noescape
func backwardFour(z, rows *float64, n int)
