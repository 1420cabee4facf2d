package field

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/sim/rig/plantest"
)

// The worked example of "Geographic/topocentric conversions", method 9837 of EPSG
// guidance note 7-2 (IOGP publication 373-7-2), on WGS 84.
func TestDatumAgainstEPSGExample(t *testing.T) {
	d := Datum{Lon: 5, Lat: 55}
	lat := 53 + 48/60.0 + 33.82/3600
	lon := 2 + 7/60.0 + 46.38/3600
	east, north, up := d.topocentric(200, lon, lat, 73)
	for _, v := range []struct {
		name      string
		got, want float64
	}{{"east", east, -189013.869}, {"north", north, -128642.040}, {"up", up, -4220.171}} {
		// The angles are given to a hundredth of a second of arc: 0.15 m to either side.
		if math.Abs(v.got-v.want) > 0.2 {
			t.Errorf("%s is %.3f m, want %.3f m", v.name, v.got, v.want)
		}
	}
}

// Near the datum a small angle is an arc of the ellipsoid's two principal radii
// of curvature (Torge, "Geodesy", Eq. 4.13 and 4.14): M along the meridian,
// N cos φ along the parallel.
func TestDatumAgainstRadiiOfCurvature(t *testing.T) {
	const a, f = 6378137.0, 1 / 298.257223563
	const e2 = f * (2 - f)
	for _, d := range []Datum{{0, 0}, {11.5, 48.1}, {-70.3, -33.4}, {179.9999, 65}, {-180, -1}} {
		phi := d.Lat * math.Pi / 180
		w := math.Sqrt(1 - e2*math.Sin(phi)*math.Sin(phi))
		m, n := a*(1-e2)/(w*w*w), a/w
		const step = 1e-3 // degrees, about 100 m
		lon := d.Lon + step
		if lon > 180 {
			lon -= 360
		}
		east, north, err := d.Plane(lon, d.Lat)
		// The parallel curves away from the plane's x axis towards the pole by s² tan φ/2R.
		s := n * math.Cos(phi) * step * math.Pi / 180
		if err != nil || math.Abs(east-s) > 1e-4 || math.Abs(north-s*s*math.Tan(phi)/(2*n)) > 1e-4 {
			t.Errorf("%v, east by %g°: (%.5f, %.5f) m, %v; want (%.5f, %.5f)", d, step, east, north, err, s, s*s*math.Tan(phi)/(2*n))
		}
		east, north, err = d.Plane(d.Lon, d.Lat+step)
		if want := m * step * math.Pi / 180; err != nil || math.Abs(east) > 1e-6 || math.Abs(north-want) > 1e-3 {
			t.Errorf("%v, north by %g°: (%.5f, %.5f) m, %v; want (0, %.5f)", d, step, east, north, err, want)
		}
	}
}

// Along the equator the ellipsoid is a circle of radius a, whose points are
// a·sin λ to the east in the tangent plane: short of the arc by d³/6a².
func TestDatumShortensDistances(t *testing.T) {
	const a = 6378137.0
	for _, arc := range []float64{1e3, 1e4} {
		east, _, err := Datum{}.Plane(arc/a*180/math.Pi, 0)
		short := arc - east
		if want := arc * arc * arc / (6 * a * a); err != nil || math.Abs(short-want) > 1e-3*want+1e-8 {
			t.Errorf("%g m come out %.3g m too short, want %.3g m, %v", arc, short, want, err)
		}
	}
}

func TestDatumRoundTrip(t *testing.T) {
	rng := plantest.Rand(1)
	for range 200 {
		d := Datum{Lon: 360*rng.Float64() - 180, Lat: 160*rng.Float64() - 80}
		east, north := 20e3*(2*rng.Float64()-1), 20e3*(2*rng.Float64()-1)
		lon, lat := d.LonLat(east, north)
		e, n, err := d.Plane(lon, lat)
		if err != nil || math.Hypot(e-east, n-north) > 1e-3 {
			t.Errorf("%v: (%g, %g) m is (%g°, %g°), which is (%g, %g) m, %v", d, east, north, lon, lat, e, n, err)
		}
	}
}

func TestDatumErrors(t *testing.T) {
	for _, d := range []Datum{{181, 0}, {0, 90}, {0, -91}, {math.NaN(), 0}, {0, math.NaN()}, {math.Inf(1), 0}} {
		if err := d.Validate(); !errors.Is(err, ErrDatum) {
			t.Errorf("%v: %v", d, err)
		}
	}
	for _, p := range []orb.Point{{200, 0}, {0, 100}, {math.NaN(), 0}, {1, 1}} {
		if _, _, err := (Datum{}).Plane(p[0], p[1]); !errors.Is(err, ErrDatum) {
			t.Errorf("%v: %v", p, err)
		}
	}
}
