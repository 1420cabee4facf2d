package ros

import (
	"fmt"
	"time"
)

// Stamps tells the stamps that messages of a topic have from stray ones: of a
// message that nobody stamped, of a clock before it was set, of a second sender. The
// sender's clock may differ from the node's, by much and for good; what is stray is a
// stamp that is off by more than a minute from what the others have, and further from
// the node's time than theirs, while those still come. The zero value has seen none.
type Stamps struct {
	skew  int64 // node's time less stamp, ns, when one was last accepted
	seen  int64 // node's time then, ns
	known bool
}

const (
	// strayStamp is the difference to others that makes a stamp stray, ns: no clock
	// that is set, and no delay, makes as much.
	strayStamp = int64(time.Minute)
	// strayPatience is after how long without others a stray stamp is believed, ns of
	// the node's time: a sender that was started again, or whose clock was set.
	strayPatience = int64(2 * time.Second)
)

// Check returns an error when the stamp of a message that came at now, the node's
// time, is stray. Both are in ns.
func (s *Stamps) Check(stamp, now int64) error {
	skew := now - stamp
	since := now - s.seen
	if s.known && magnitude(skew-s.skew) > strayStamp && magnitude(skew) > magnitude(s.skew) && since >= 0 && since < strayPatience {
		return fmt.Errorf("its stamp is %.3f s, off by %.6g s from those of other messages",
			time.Duration(stamp).Seconds(), time.Duration(s.skew-skew).Seconds())
	}
	s.skew, s.seen, s.known = skew, now, true
	return nil
}

func magnitude(ns int64) int64 { return max(ns, -ns) }
