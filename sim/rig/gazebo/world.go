package gazebo

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"math"
	"strconv"
	"text/template"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

//go:embed world.sdf.tmpl
var worldText string

var worldTemplate = template.Must(template.New("world").Funcs(template.FuncMap{
	"num": func(v float64) string { return strconv.FormatFloat(math.Round(1e4*v)/1e4+0, 'f', -1, 64) },
}).Parse(worldText))

// buried is how deep what stands in the field goes into the ground, m: more than the ground
// falls from the middle of a thing to its edge.
const buried = 2.5

// placed is a box as the template needs it.
type placed struct {
	Box
	Z, Buried     float64 // height of the ground at the middle; how deep the box goes, m
	Whole, Centre float64 // height with what is buried; height of the middle above Z, m
	Colour        string
	Parts         []part
}

// part is a cuboid or ellipsoid on a box, in its frame.
type part struct {
	Name          string
	X, Y, Z, Roll float64
	Round         bool
	DX, DY, DZ    float64 // sizes, or radii
	Colour        string
}

// standing is a tree as the template needs it.
type standing struct {
	Tree
	Whole, Middle    float64 // length of the trunk with what is buried; height of its middle, m
	Top, CrownHeight float64
	Colour           string
}

// World returns the SDF of a world with the layout on the ground. A flat ground is a plane, for
// others the world needs the file field.obj beside it.
func (l Layout) World(title string, g *Ground, flat bool) (string, error) {
	type post struct{ X, Y, Z float64 }
	data := struct {
		Title string
		Datum field.Datum
		Flat  bool
		Size  float64
		Boxes []placed
		Trees []standing
		Posts []post
	}{Title: title, Datum: Datum, Flat: flat, Size: groundSize}
	for _, b := range l.Boxes {
		data.Boxes = append(data.Boxes, place(b, g))
	}
	greens := []string{"0.24 0.42 0.18", "0.29 0.46 0.2", "0.2 0.37 0.19"}
	for i, t := range l.Trees {
		z := g.Height(t.X, t.Y)
		data.Trees = append(data.Trees, standing{
			Tree: t, Whole: t.Height + buried, Middle: z + (t.Height-buried)/2,
			Top: z + t.Height + 0.6*t.Crown, CrownHeight: 1.3 * t.Crown, Colour: greens[i%len(greens)],
		})
	}
	for _, p := range along(l.Outline, 24) {
		data.Posts = append(data.Posts, post{p[0], p[1], g.Height(p[0], p[1]) + 0.4})
	}
	var b bytes.Buffer
	if err := worldTemplate.Execute(&b, data); err != nil {
		return "", err
	}
	return b.String(), nil
}

// place puts a box on the ground and gives it parts worth looking at.
func place(b Box, g *Ground) placed {
	p := placed{Box: b, Z: g.Height(b.X, b.Y), Buried: buried, Whole: b.Height + buried, Centre: (b.Height - buried) / 2}
	if b.Name == "shed" {
		p.Colour = "0.55 0.2 0.16"
		const pitch, eaves = 0.42, 0.4 // rad, m
		half := b.Width/2 + eaves
		length := half / math.Cos(pitch)
		for _, side := range []float64{-1, 1} {
			p.Parts = append(p.Parts, part{
				Name: fmt.Sprintf("roof_%+.0f", side), Y: side * half / 2, Z: b.Height + (b.Width/2-half/2)*math.Tan(pitch), Roll: -side * pitch,
				DX: b.Length + 2*eaves, DY: length, DZ: 0.12, Colour: "0.3 0.3 0.33",
			})
		}
		const steps = 8 // of the gables
		for i := range steps - 1 {
			high := b.Width / 2 * math.Tan(pitch) / steps
			p.Parts = append(p.Parts, part{
				Name: fmt.Sprint("gable_", i), Z: b.Height + (float64(i)+0.5)*high,
				DX: b.Length, DY: b.Width * (1 - float64(i+1)/steps), DZ: high, Colour: p.Colour,
			})
		}
		p.Parts = append(p.Parts,
			part{Name: "door", X: 1, Y: -b.Width / 2, Z: 1.6, DX: 4, DY: 0.1, DZ: 3.2, Colour: "0.86 0.84 0.78"},
			part{Name: "window", X: -4, Y: -b.Width / 2, Z: 2.4, DX: 1.4, DY: 0.1, DZ: 0.9, Colour: "0.55 0.68 0.75"})
		return p
	}
	p.Colour = "0.21 0.36 0.17"
	n := int(b.Length / 2.5)
	for i := range n {
		p.Parts = append(p.Parts, part{
			Name: fmt.Sprint("bush_", i), X: (float64(i)+0.5)*b.Length/float64(n) - b.Length/2, Z: b.Height - 0.1 - 0.1*float64(i%2),
			Round: true, DX: 1.5, DY: b.Width / 2, DZ: 0.4 + 0.1*float64(i%3), Colour: []string{"0.24 0.4 0.18", "0.19 0.34 0.16"}[i%2],
		})
	}
	return p
}

// along returns points on a ring, at most the given distance apart, among them its corners.
func along(ring orb.Ring, distance float64) (points []orb.Point) {
	for i := range len(ring) - 1 {
		a, b := ring[i], ring[i+1]
		n := math.Ceil(math.Hypot(b[0]-a[0], b[1]-a[1]) / distance)
		for k := range int(n) {
			f := float64(k) / n
			points = append(points, orb.Point{a[0] + f*(b[0]-a[0]), a[1] + f*(b[1]-a[1])})
		}
	}
	return points
}
