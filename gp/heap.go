package gp

// A heap of rows, the one with the largest bound first; of equal bounds any.

// heapify makes rows a heap.
func heapify(rows []int, bound []float64) {
	for i := len(rows)/2 - 1; i >= 0; i-- {
		sift(rows, bound, i)
	}
}

// pop takes the first off the heap.
func pop(rows []int, bound []float64) []int {
	last := len(rows) - 1
	rows[0] = rows[last]
	rows = rows[:last]
	sift(rows, bound, 0)
	return rows
}

// sift lets the row at place i sink to where it belongs.
func sift(rows []int, bound []float64, i int) {
	for {
		c := 2*i + 1
		if c >= len(rows) {
			return
		}
		if c+1 < len(rows) && bound[rows[c+1]] > bound[rows[c]] {
			c++
		}
		if !(bound[rows[c]] > bound[rows[i]]) {
			return
		}
		rows[i], rows[c] = rows[c], rows[i]
		i = c
	}
}
