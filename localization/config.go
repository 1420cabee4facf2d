package localization

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// problems gathers every error of a configuration, so that a user sees all of them at once.
type problems struct {
	of   string
	list []error
}

func (p *problems) add(field string, value any, allowed string) {
	p.list = append(p.list, fmt.Errorf("localization: %s.%s = %v: must be %s", p.of, field, value, allowed))
}

func (p *problems) positive(field string, v float64) {
	if !(v > 0) || math.IsInf(v, 0) {
		p.add(field, v, "finite and above 0")
	}
}

func (p *problems) notNegative(field string, v float64) {
	if !(v >= 0) || math.IsInf(v, 0) {
		p.add(field, v, "finite and at least 0")
	}
}

func (p *problems) between(field string, v, lo, hi float64) {
	if !(v >= lo && v <= hi) {
		p.add(field, v, fmt.Sprintf("within [%v, %v]", lo, hi))
	}
}

func (p *problems) positiveTime(field string, d time.Duration) {
	if d <= 0 {
		p.add(field, d, "above 0")
	}
}

func (p *problems) notNegativeTime(field string, d time.Duration) {
	if d < 0 {
		p.add(field, d, "at least 0")
	}
}

func (p *problems) atLeast(field string, n, least int) {
	if n < least {
		p.add(field, n, fmt.Sprintf("at least %d", least))
	}
}

func (p *problems) lever(field string, l Lever) {
	if !finite(l.X) || !finite(l.Y) {
		p.add(field, l, "finite")
	}
}

func (p *problems) nested(err error) {
	if err != nil {
		p.list = append(p.list, err)
	}
}

func (p *problems) err() error { return errors.Join(p.list...) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
