// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package tf

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/geometry_msgs"
)

func planar(x, y, yaw float64) Transform {
	sin, cos := math.Sincos(yaw / 2)
	return Transform{Translation: r3.Vec{X: x, Y: y}, Rotation: quat.Number{Real: cos, Kmag: sin}}
}

func near(t *testing.T, what string, got, want Transform) {
	t.Helper()
	d := r3.Norm(r3.Sub(got.Translation, want.Translation))
	turn := quat.Abs(quat.Sub(got.Rotation, want.Rotation))
	if !(d < 1e-9 && min(turn, quat.Abs(quat.Add(got.Rotation, want.Rotation))) < 1e-9) {
		t.Errorf("%s is %+v, want %+v", what, got, want)
	}
}

func (b *Buffer) must(t *testing.T, parent, child string, stamp float64, at Transform) {
	t.Helper()
	must.OK(t, b.Add(parent, child, int64(stamp*1e9), at, false))
}

// A chain of three links, one of them static, at a stamp at which none has a transform of
// its own. By hand: odom is at (10, 20) turned by 90°, and the base 3 m ahead in it.
func TestChain(t *testing.T) {
	b := New()
	b.must(t, "map", "odom", 1, planar(10, 20, math.Pi/2))
	b.must(t, "map", "odom", 3, planar(10, 20, math.Pi/2))
	b.must(t, "/odom", "base_footprint", 1.5, planar(2, 0, 0)) // tf2 takes the slash for nothing, too
	b.must(t, "odom", "base_footprint", 2.5, planar(4, 0, math.Pi/3))
	must.OK(t, b.Add("base_footprint", "base_link", 0, planar(0.5, 0, 0), true))
	chain, err := b.Chain("map", "base_link")
	if err != nil || strings.Join(chain, " ") != "base_link base_footprint odom map" {
		t.Fatalf("chain %v, %v", chain, err)
	}
	if stamp, ok := b.Newest(chain); !ok || stamp != 25e8 {
		t.Errorf("newest common stamp %d, %v, want 2.5 s", stamp, ok)
	}
	got, ok := b.At(chain, 2e9)
	if !ok {
		t.Fatal("no transform at 2 s")
	}
	sin, cos := math.Sincos(math.Pi / 6)
	near(t, "mapFromBase", got, planar(10-0.5*sin, 20+3+0.5*cos, math.Pi/2+math.Pi/6))
	for _, stamp := range []int64{14e8, 26e8} {
		if _, ok := b.At(chain, stamp); ok {
			t.Errorf("a transform at %d ns, which odom → base_footprint does not reach", stamp)
		}
	}
	b.Clear()
	if _, err := b.Chain("base_footprint", "base_link"); err != nil {
		t.Errorf("the static link is forgotten: %v", err)
	}
	if _, err := b.Chain("map", "base_link"); err == nil {
		t.Error("the other links are not forgotten")
	}
}

// Interpolation turns by the shorter way at a constant rate, about any axis, and whichever
// of its two quaternions a rotation comes as.
func TestInterpolation(t *testing.T) {
	axis := r3.Unit(r3.Vec{X: 1, Y: -2, Z: 0.5})
	for _, angle := range []float64{0.01, 0.3, 2, 3.1} {
		for _, sign := range []float64{1, -1} {
			end := Transform{Translation: r3.Vec{X: 4, Z: -2}, Rotation: quat.Scale(sign, quat.Number(r3.NewRotation(angle, axis)))}
			want := Transform{Translation: r3.Vec{X: 1, Z: -0.5}, Rotation: quat.Number(r3.NewRotation(angle/4, axis))}
			got := interpolate(identity, end, 0.25)
			if d := min(quat.Abs(quat.Sub(got.Rotation, want.Rotation)), quat.Abs(quat.Add(got.Rotation, want.Rotation))); d > 1e-6 {
				t.Errorf("a quarter of %g rad (sign %g): %v, want %v", angle, sign, got.Rotation, want.Rotation)
			}
			if got.Translation != want.Translation {
				t.Errorf("a quarter of the way is %v, want %v", got.Translation, want.Translation)
			}
		}
	}
}

func TestUnusableTransforms(t *testing.T) {
	b := New()
	b.must(t, "odom", "base_link", 1, identity)
	for _, c := range []struct {
		parent, child string
		stamp         float64
		want          string
	}{
		{"", "base_link", 1, "lacks the name"},
		{"map", "/", 1, "lacks the name"},
		{"odom", "odom", 1, "its own parent"},
		{"map", "base_link", 1.1, `two parents, "odom" and "map"`},
	} {
		if err := b.Add(c.parent, c.child, int64(c.stamp*1e9), identity, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q → %q: %v, want an error with %q", c.parent, c.child, err, c.want)
		}
	}
	b.must(t, "map", "base_link", 2.1, identity) // odom's publisher has ended
	if chain, err := b.Chain("map", "base_link"); err != nil || len(chain) != 2 {
		t.Errorf("chain %v, %v", chain, err)
	}
	b.must(t, "base_link", "map", 2.1, identity)
	if _, err := b.Chain("odom", "base_link"); err == nil || !strings.Contains(err.Error(), "above itself") {
		t.Errorf("a loop: %v", err)
	}
	for i := 0; i < 2*mostFrames; i++ {
		_ = b.Add("map", "x"+strconv.Itoa(i), 0, identity, false)
	}
	if len(b.Links) != mostFrames {
		t.Errorf("%d frames are kept, want %d", len(b.Links), mostFrames)
	}
	long := strings.Repeat("x", mostName+1)
	for _, err := range []error{b.Add(long, "base_link", 3e9, identity, false), b.Add("map", long, 3e9, identity, true)} {
		if err == nil || !strings.Contains(err.Error(), "257 bytes, at most 256 are allowed") {
			t.Errorf("a long name: %v", err)
		}
	}

	m := geometry_msgs.Transform{Rotation: geometry_msgs.Quaternion{W: 1}}
	if _, err := fromMessage(&m); err != nil {
		t.Error(err)
	}
	m.Translation.Y = math.Inf(1)
	if _, err := fromMessage(&m); err == nil {
		t.Error("an infinite translation is accepted")
	}
	if _, err := fromMessage(&geometry_msgs.Transform{}); err == nil {
		t.Error("a zero quaternion is accepted")
	}
}

// Ten seconds are kept, whatever the rate and the order, and time may be set back.
func TestBufferForgets(t *testing.T) {
	b := New()
	for i := range 20_000 {
		stamp := float64(i) / 100
		if i%10 == 3 {
			stamp -= 0.075 // late
		}
		b.must(t, "odom", "base_link", stamp, planar(stamp, 0, 0))
	}
	l := b.Links["base_link"]
	if n := len(l.entries); n < 1000 || n > 1000*4/3+2 {
		t.Errorf("%d entries are kept, want those of 10 s and at most a third more", n)
	}
	for i := 1; i < len(l.entries); i++ {
		if l.entries[i].stamp <= l.entries[i-1].stamp {
			t.Fatalf("entry %d is not after the one before", i)
		}
	}
	at, ok := l.At(l.Newest() - int64(5*time.Second) + 1e6)
	if !ok {
		t.Fatal("5 s ago is forgotten")
	}
	near(t, "5 s ago", at, planar(float64(l.Newest())/1e9-5+1e-3, 0, 0))
	b.must(t, "odom", "base_link", 3, planar(7, 0, 0))
	if l := b.Links["base_link"]; len(l.entries) != 1 || l.Newest() != 3e9 {
		t.Errorf("after time was set back there are %d entries, the newest at %d", len(l.entries), l.Newest())
	}
	for i := range 3 * mostEntries {
		b.must(t, "odom", "base_link", 3+float64(i)*1e-6, identity)
	}
	if n := len(b.Links["base_link"].entries); n > mostEntries+1 {
		t.Errorf("%d entries are kept of a sender at 1 MHz", n)
	}
}
