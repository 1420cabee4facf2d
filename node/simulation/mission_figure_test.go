// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/generated"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
)

// The README's animation is drawn from a mission, and small enough for a page. UPDATE_GENERATED=1 draws the whole one.
func TestGeneratedMission(t *testing.T) {
	cfg, want := DefaultConfig(1), 30
	if !generated.Update() {
		want = 3
	}
	cfg.Explorer.Mission.Budget.Samples, cfg.Explorer.OutputDir = want, t.TempDir()
	s, err := New(&cfg, Options{Receiver: DemoReceiver})
	must.OK(t, err)
	defer s.Close()
	must.OK(t, s.Run(t.Context()))
	m := s.Explorer().Record()
	events, err := journal.Read(cfg.Explorer.OutputDir)
	must.OK(t, err)
	text := animate(t, m, events.Track)
	if n := strings.Count(text, "<image"); len(text) > 500_000 || n != want {
		t.Errorf("the animation has %d bytes and %d maps, want 500 kB at most and %d", len(text), n, want)
	}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if generated.Update() {
		must.OK(t, os.WriteFile("mission.svg", []byte(text), 0o644))
	}
}

// animate draws a mission whose samples were taken along a track: the map after each sample, the path, the robot and the best place.
func animate(t *testing.T, m *record.Mission, track []record.Place) string {
	const (
		cell    = 15.0 // of the maps, m
		spacing = 10.0 // of the path's points, m: the filter's corrections are no turns
		seconds = 24
		driving = 0.85 // share of the time; then the answer stands
	)
	var path []record.Place
	for _, p := range track {
		path = record.AppendApart(path, p, spacing)
	}
	lo, hi := m.Field.Boundary[0][0], m.Field.Boundary[0][0]
	for _, p := range m.Field.Boundary[0] {
		lo, hi = record.Place{min(lo[0], p[0]), min(lo[1], p[1])}, record.Place{max(hi[0], p[0]), max(hi[1], p[1])}
	}
	at := func(p record.Place) string { return fmt.Sprintf("%.0f,%.0f", p[0]-lo[0], hi[1]-p[1]) }
	points := func(list []record.Place) (text string) {
		for _, p := range list {
			text += at(p) + " "
		}
		return strings.TrimSpace(text)
	}
	// The shares of the time at which samples were taken: when the robot first came to each after that before.
	length, along := 0.0, []float64{0}
	for i := 1; i < len(path); i++ {
		length += math.Hypot(path[i][0]-path[i-1][0], path[i][1]-path[i-1][1])
		along = append(along, length)
	}
	taken, from := []float64{}, 0
	for _, o := range m.Observations {
		for i := from; i < len(path); i++ {
			if math.Hypot(path[i][0]-o.Target[0], path[i][1]-o.Target[1]) < spacing {
				from = i
				break
			}
		}
		taken = append(taken, driving*along[from]/length)
	}
	// shown makes an element visible from one sample to another. What does not play animations shows the end.
	still := func(to int) string {
		if to < len(taken) {
			return "hidden"
		}
		return "visible"
	}
	shown := func(from, to int) string {
		end := 1.0
		if to < len(taken) {
			end = taken[to]
		}
		return fmt.Sprintf(`<animate attributeName="visibility" values="hidden;visible;hidden" keyTimes="0;%.4f;%.4f" calcMode="discrete" dur="%ds" repeatCount="indefinite"/>`,
			taken[from], min(end, 0.9999), seconds)
	}
	scale := m.Scale()
	low, high := math.Inf(1), math.Inf(-1)
	for _, o := range m.Observations {
		low, high = min(low, o.Value), max(high, o.Value)
	}
	var svg strings.Builder
	w, h := hi[0]-lo[0], hi[1]-lo[1]
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" width="640" viewBox="-20 -20 %.0f %.0f" font-family="sans-serif"><rect x="-20" y="-20" width="100%%" height="100%%" fill="#fff"/>`+"\n", w+640, h+40)
	var keepOuts string
	for _, k := range m.Field.KeepOuts {
		keepOuts += fmt.Sprintf(`<polygon points="%s" fill="#999" stroke="#333" stroke-width="3"/>`, points(k[0]))
	}
	fmt.Fprintf(&svg, `<clipPath id="c"><polygon points="%s"/></clipPath><polygon points="%s" fill="#dfe3e8"/><g clip-path="url(#c)">`+"\n", points(m.Field.Boundary[0]), points(m.Field.Boundary[0]))
	nx, ny := int(w/cell)+1, int(h/cell)+1
	var cells []record.Place
	for j := range ny {
		for i := range nx {
			cells = append(cells, record.Place{lo[0] + (float64(i)+0.5)*cell, hi[1] - (float64(j)+0.5)*cell})
		}
	}
	var texts string
	for k := range m.Observations {
		part := *m
		part.Models, part.Observations = nil, m.Observations[:k+1]
		part.Hyper = nil
		for _, y := range m.Hyper {
			if y.Samples <= k+1 {
				part.Hyper = append(part.Hyper, y)
			}
		}
		surface, err := export.Relearn(&part, new(export.Options))
		must.OK(t, err)
		mean, stdDev := surface(cells)
		variance := part.Hyper[len(part.Hyper)-1].SignalVariance
		img := image.NewNRGBA(image.Rect(0, 0, nx, ny))
		for i := range cells {
			c := export.Viridis((mean[i] - low) / (high - low))
			opacity := uint8(255*(1-0.8*min(1, stdDev[i]*stdDev[i]/variance))) &^ 7 // smaller when packed
			img.SetNRGBA(i%nx, i/nx, color.NRGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), opacity})
		}
		var packed bytes.Buffer
		must.OK(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&packed, img))
		fmt.Fprintf(&svg, `<image width="%.0f" height="%.0f" visibility="%s" href="data:image/png;base64,%s">%s</image>`+"\n",
			float64(nx)*cell, float64(ny)*cell, still(k+1), base64.StdEncoding.EncodeToString(packed.Bytes()), shown(k, k+1))
		texts += fmt.Sprintf(`<g visibility="%s">%s<text x="%.0f" y="120" font-size="52">sample %d of %d</text><text x="%.0f" y="190" font-size="40">%.1f km driven</text>`,
			still(k+1), shown(k, k+1), w+60, k+1, len(m.Observations), w+60, taken[k]/driving*length/1000)
		for _, r := range m.Recommended {
			if r.Samples == k+1 && r.Target != nil {
				texts += fmt.Sprintf(`<text x="%.0f" y="300" font-size="40">best so far</text><text x="%.0f" y="365" font-size="60" font-weight="bold">%s %s</text>`+
					`<text x="%.0f" y="415" font-size="36">%s to %s</text><path transform="translate(%s)" d="M0 -40L9 -12 38 -12 15 5 24 33 0 16 -24 33 -15 5 -38 -12 -9 -12Z" fill="#d60" stroke="#000" stroke-width="4"/>`,
					w+60, w+60, num.Short(scale.Value(r.Mean), 2), scale.Units, w+60, num.Short(scale.Value(r.Mean-2*r.StdDev), 2), num.Short(scale.Value(r.Mean+2*r.StdDev), 2),
					at(*r.Target))
			}
		}
		texts += "</g>\n"
	}
	fmt.Fprintf(&svg, `</g>%s<polygon points="%s" fill="none" stroke="#111" stroke-width="5"/>`+"\n", keepOuts, points(m.Field.Boundary[0]))
	line := points(path)
	clock := fmt.Sprintf(`keyTimes="0;%g;1" dur="%ds" repeatCount="indefinite"`, driving, seconds)
	fmt.Fprintf(&svg, `<polyline points="%s" fill="none" stroke="#fff" stroke-width="5" pathLength="1" stroke-dasharray="1"><animate attributeName="stroke-dashoffset" values="1;0;0" %s/></polyline>`+"\n", line, clock)
	for k, o := range m.Observations {
		c := export.Viridis((o.Value - low) / (high - low))
		fmt.Fprintf(&svg, `<circle cx="%s" r="11" fill="#%02x%02x%02x" stroke="#fff" stroke-width="4">%s</circle>`+"\n",
			strings.Replace(at(o.Target), ",", `" cy="`, 1), c[0], c[1], c[2], shown(k, len(taken)))
	}
	svg.WriteString(texts)
	fmt.Fprintf(&svg, `<path d="M-22 -16 L28 0 L-22 16 Z" fill="#05a" stroke="#fff" stroke-width="4" visibility="hidden"><set attributeName="visibility" to="visible"/><animateMotion path="M%s" rotate="auto" keyPoints="0;1;1" calcMode="linear" %s/></path></svg>`+"\n",
		strings.ReplaceAll(line, " ", "L"), clock)
	return svg.String()
}
