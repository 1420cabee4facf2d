// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
)

// scaled reports whether the values of the fields are known in the unit of a reading.
func (p *Plan) scaled() bool { return p.cfg.Known.Range != nil || len(p.cfg.Known.Earlier) > 0 }

// scale says in which unit people are shown the values.
func (p *Plan) scale() record.Scale {
	m := record.Mission{Units: p.explorer.Units, Transform: p.transform()}
	return m.Scale()
}

// show returns the function that converts a model value to the unit in which results are
// stated, for a field.
func (p *Plan) show(f *drawn) func(float64) float64 {
	if !p.scaled() {
		return func(v float64) float64 { return 100 * v / (f.best - f.worst) }
	}
	scale := p.scale()
	return scale.Value
}

// Unit names the unit of results, "" if it is not known.
func (p *Plan) Unit() string {
	if !p.scaled() {
		return "%"
	}
	return p.scale().Units
}

// value writes a result with its unit.
func (p *Plan) value(v float64) string {
	return strings.TrimSpace(num.Significant(v, 2) + " " + p.Unit())
}

// scaleText explains the unit of the results, "" if its name does.
func (p *Plan) scaleText() string {
	switch {
	case !p.scaled():
		values := "value of the field"
		if t := p.transform(); t == record.TransformLog10 || t == record.TransformLn {
			values = string(t) + " of the field's values"
		}
		return "100 % is the difference between the highest and the lowest " + values + ". "
	case p.Unit() == "":
		return "Values are in the unit of the readings. "
	}
	return ""
}
