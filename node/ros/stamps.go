package ros

import (
	"fmt"
	"time"
)

// Stamps finds stray stamps among the messages of a topic: from a message without a stamp, a
// clock that is not set yet, or a second sender. The sender's clock may differ from the
// node's by any constant. A stamp is stray if it differs from those of the other messages by
// more than a minute, is further from the node's time than they are, and they still arrive.
// The zero value is ready for use.
type Stamps struct {
	skew  int64 // node's time minus stamp of the last accepted message, ns
	seen  int64 // node's time then, ns
	known bool
}

const (
	// strayStamp is the difference from other stamps above which a stamp is stray, ns:
	// more than delays and clocks that are set can cause.
	strayStamp = int64(time.Minute)
	// strayPatience is the time without other stamps after which a stray one is accepted,
	// ns of the node's time: the sender was restarted, or its clock was set.
	strayPatience = int64(2 * time.Second)
)

// Check returns an error if the stamp of a message that arrived at now, in the node's time,
// is stray. Both are in ns.
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
