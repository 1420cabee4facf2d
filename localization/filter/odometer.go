package filter

// odometry is a message of the wheels: a pose in their own frame (m, m, rad), or the mean twist since the
// message before.
type odometry struct {
	stamp     int64
	isPose    bool
	x, y, yaw float64
	twist     Twist
}

// motionTo returns the constant twist that leads from one pose to another.
func (o *odometry) motionTo(p *odometry) motion {
	return motionBetween(o.x, o.y, o.yaw, p.x, p.y, p.yaw)
}

// odometer keeps odometry in the order of the stamps, in memory allocated once.
type odometer struct {
	buf    []odometry
	lo, hi int
}

// insert puts o, whose stamp is new, in its place. When the memory is full the oldest quarter is dropped.
func (q *odometer) insert(o *odometry) {
	if q.hi == len(q.buf) {
		q.lo = max(q.lo, len(q.buf)/4)
		q.hi = copy(q.buf, q.buf[q.lo:q.hi])
		q.lo = 0
	}
	i := q.after(o.stamp)
	copy(q.buf[i+1:q.hi+1], q.buf[i:q.hi])
	q.buf[i] = *o
	q.hi++
}

// around returns the newest odometry up to a stamp and the oldest after it; nil means none. known says
// that the first is of that very stamp.
func (q *odometer) around(stamp int64) (before, after *odometry, known bool) {
	i := q.after(stamp)
	if i > q.lo {
		before = &q.buf[i-1]
		known = before.stamp == stamp
	}
	if i < q.hi {
		after = &q.buf[i]
	}
	return before, after, known
}

// after returns the index of the oldest odometry after a stamp.
func (q *odometer) after(stamp int64) int {
	i := q.hi
	for i > q.lo && q.buf[i-1].stamp > stamp {
		i--
	}
	return i
}

// newest returns the newest odometry; nil means none.
func (q *odometer) newest() *odometry {
	if q.lo == q.hi {
		return nil
	}
	return &q.buf[q.hi-1]
}

func (q *odometer) clear() { q.lo, q.hi = 0, 0 }
