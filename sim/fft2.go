// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import "gonum.org/v1/gonum/dsp/fourier"

// fft2 is a forward discrete Fourier transform of a complex array of ny rows
// and nx columns, computed by one-dimensional transforms of the rows and columns.
type fft2 struct {
	nx, ny int
	row    *fourier.CmplxFFT
	col    *fourier.CmplxFFT
	strip  []complex128 // columns side by side, each ny long
}

// stripWidth columns are gathered at a time, so that every cache line of the
// array is read once and not stripWidth times (4 complex128 fill 64 bytes).
const stripWidth = 8

func newFFT2(nx, ny int) *fft2 {
	return &fft2{
		nx: nx, ny: ny,
		row:   fourier.NewCmplxFFT(nx),
		col:   fourier.NewCmplxFFT(ny),
		strip: make([]complex128, stripWidth*ny),
	}
}

// transform replaces a, in row order, by Σ a[j,i]·exp(−2πI(i·p/nx + j·q/ny)).
func (f *fft2) transform(a []complex128) {
	f.rows(a)
	f.columns(a)
}

// rows replaces each row of a with its transform; a may have fewer rows than f.
func (f *fft2) rows(a []complex128) {
	for ; len(a) > 0; a = a[f.nx:] {
		r := a[:f.nx]
		f.row.Coefficients(r, r)
	}
}

// columns replaces each column of a by its transform.
func (f *fft2) columns(a []complex128) {
	for i0 := 0; i0 < f.nx; i0 += stripWidth {
		w := min(stripWidth, f.nx-i0)
		for j := range f.ny {
			for i := range w {
				f.strip[i*f.ny+j] = a[j*f.nx+i0+i]
			}
		}
		for i := range w {
			c := f.strip[i*f.ny : (i+1)*f.ny]
			f.col.Coefficients(c, c)
		}
		for j := range f.ny {
			for i := range w {
				a[j*f.nx+i0+i] = f.strip[i*f.ny+j]
			}
		}
	}
}
