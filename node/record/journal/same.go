// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"cmp"
	"fmt"
	"strings"

	"ugp_explorer/node/record"
)

// CheckSame returns an error that names the first setting of b, without which its mission cannot
// continue, that is another in now.
func (b *Begin) CheckSame(now *Begin) error {
	had, has := cmp.Or(b.Secondary, &Secondary{}), cmp.Or(now.Secondary, &Secondary{})
	for _, c := range []struct {
		name    string
		was, is any
	}{
		{"passive", b.Passive, now.Passive},
		{"frame_id", b.Frame, now.Frame},
		{"quantity", b.Quantity, now.Quantity},
		{"units", b.Units, now.Units},
		{"reading.transform", b.Transform, now.Transform},
		{"reading.type", b.Reading, now.Reading},
		{"secondary.type", had.Reading, has.Reading},
		{"secondary.quantity", had.Quantity, has.Quantity},
		{"secondary.units", had.Units, has.Units},
		{"also", strings.Join(b.Also, ", "), strings.Join(now.Also, ", ")},
		{"the field's outline", b.Field.Boundary, now.Field.Boundary},
		{"covariates", files(b.Covariates), files(now.Covariates)},
		{"the field's keep-outs", b.Field.KeepOuts, now.Field.KeepOuts},
	} {
		was, _ := record.Marshal(c.was) // of numbers and strings, which cannot fail
		is, _ := record.Marshal(c.is)
		same := 0
		for same < min(len(was), len(is)) && was[same] == is[same] {
			same++
		}
		if same < max(len(was), len(is)) {
			return fmt.Errorf("%s was %s and is now %s: a mission cannot continue with another value; restore the old one or use another output_dir", c.name, around(was, same), around(is, same))
		}
	}
	return nil
}

// files names the contents of rasters, wherever they lie.
func files(covariates []record.Covariate) []string {
	names := []string{}
	for _, c := range covariates {
		names = append(names, c.String()+" with the SHA-256 "+c.SHA256)
	}
	return names
}

// around returns a text or, if it is long, the part of it near one of its bytes.
func around(text []byte, at int) string {
	const before, most = 40, 80
	if len(text) <= most {
		return string(text)
	}
	from := max(0, at-before)
	return fmt.Sprintf("…%s…", text[from:min(len(text), from+most)])
}
