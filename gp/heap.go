package gp

// The functions below keep places in a heap with the largest bound first. A search stops
// after a few of hundreds of places, so that sorting all of them would take most of the time
// of a decision with few observations.

// heapify makes a heap of places.
func heapify(places []int, bound []float64) {
	for i := len(places)/2 - 1; i >= 0; i-- {
		sift(places, bound, i)
	}
}

// pop removes the first place of the heap and returns the rest.
func pop(places []int, bound []float64) []int {
	last := len(places) - 1
	places[0] = places[last]
	places = places[:last]
	sift(places, bound, 0)
	return places
}

// sift moves the place at index i down to its position in the heap.
func sift(places []int, bound []float64, i int) {
	for {
		c := 2*i + 1
		if c >= len(places) {
			return
		}
		if c+1 < len(places) && bound[places[c+1]] > bound[places[c]] {
			c++
		}
		if !(bound[places[c]] > bound[places[i]]) {
			return
		}
		places[i], places[c] = places[c], places[i]
		i = c
	}
}
