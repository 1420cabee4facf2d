package explorer

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// commandRate is the number of commands per second that are followed in the long run, and
// commandBurst at once: each change of the mission is a line in its journal, and is synced to the
// disk.
const (
	commandRate  = 5
	commandBurst = 20
)

// unpaced are the commands that are always followed. They change nothing when they are repeated.
var unpaced = []string{"stop", "pause"}

// paced limits how often order is called, by a node's time in ns.
func paced(now func() int64, order func(words string) (bool, string, error)) func(words string) (bool, string, error) {
	left, at := float64(commandBurst), now()
	return func(words string) (done bool, text string, err error) {
		word, _, _ := strings.Cut(strings.TrimSpace(words), " ")
		if slices.Contains(unpaced, word) {
			return order(words)
		}
		t := now()
		left = min(commandBurst, left+commandRate*max(0, time.Duration(t-at).Seconds()))
		at = t
		if left < 1 {
			return false, fmt.Sprintf("commands come too fast: at most %d a second are followed; stop and pause always are", commandRate), nil
		}
		left--
		return order(words)
	}
}
