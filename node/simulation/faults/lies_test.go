package faults

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/sim/experiment"
)

// The flags of the table of lies, which takes minutes and is not part of CI:
//
//	go test ./node/simulation/faults -run TestLies -lies -timeout 1h -v
var (
	lies     = flag.Bool("lies", false, "print how many missions leave the field when one source lies")
	liesRows = flag.String("lies-rows", "", "only the rows whose names match this expression, and only with a guard")
	liesMost = flag.Int("lies-missions", 30, "missions of a row and rate")
	liesFrom = flag.Int64("lies-from", 1, "seed of the first mission of a row and rate")
)

// lie is a row of the table: one fault in missions whose fixes are of centimetres.
type lie struct {
	name      string
	fault     Fault // at 0 s it begins some time in the mission
	gyroscope bool
}

// lieRows are the rows of the table.
var lieRows = []lie{
	{name: "none"},
	{name: "receiver repeats its last fix for 60 s", fault: Fault{Kind: "receiver-stuck", For: 60}},
	{name: "… with a gyroscope", fault: Fault{Kind: "receiver-stuck", For: 60}, gyroscope: true},
	{name: "… with 2 cm of noise", fault: Fault{Kind: "receiver-stuck", For: 60, Size: centimetres}},
	{name: "fixes are displaced by 10 m for 60 s", fault: Fault{Kind: "receiver-jump", For: 60, Size: 10}},
	{name: "fixes drift by 0.2 m/s for 60 s", fault: Fault{Kind: "receiver-drift", For: 60, Size: 0.2}},
	{name: "fixes drift by 0.4 m/s for 60 s", fault: Fault{Kind: "receiver-drift", For: 60, Size: 0.4}},
	{name: "`initial_yaw` wrong by 180°", fault: Fault{Kind: "heading-wrong", Size: math.Pi}},
	{name: "`initial_yaw` wrong by 90°", fault: Fault{Kind: "heading-wrong", Size: math.Pi / 2}},
	{name: "turned by hand by 180° in a pause", fault: Fault{Kind: "turned", On: "pause", Size: math.Pi}},
	{name: "turned by hand by 90° in a pause", fault: Fault{Kind: "turned", On: "pause", Size: math.Pi / 2}},
	{name: "left encoder dead for 120 s, `odom` pose", fault: Fault{Kind: "encoder", On: "left", For: 120}},
	{name: "… with a gyroscope", fault: Fault{Kind: "encoder", On: "left", For: 120}, gyroscope: true},
	{name: "right encoder counts 1.5 times for 120 s, `odom` pose", fault: Fault{Kind: "encoder", On: "right", For: 120, Size: 1.5}},
	{name: "gyroscope stuck for 120 s", fault: Fault{Kind: "gyroscope-stuck", For: 120}, gyroscope: true},
	{name: "gyroscope halves the rate for 120 s", fault: Fault{Kind: "gyroscope-scale", For: 120, Size: 0.5}, gyroscope: true},
}

// lieRates are the columns of the table: the rates of the fixes, Hz.
var lieRates = []float64{10, 5, 1}

// TestLies prints the table: of 30 missions each, how many come more than 0.5 m and more than 1 m outside, and
// how far out the worst is.
func TestLies(t *testing.T) {
	if !*lies {
		t.Skip("give -lies")
	}
	rows, err := regexp.Compile(*liesRows)
	if err != nil {
		t.Fatal(err)
	}
	for _, guard := range []bool{false, true} {
		if !guard && *liesRows != "" {
			continue
		}
		table, err := liesTable(t.Context(), guard, rows)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("guard: %v\n%s", guard, table)
	}
}

// liesTable returns the table of the rows, on fields on which the robot starts inside.
func liesTable(ctx context.Context, guard bool, rows *regexp.Regexp) (string, error) {
	type cell struct {
		row  int
		rate float64
		seed int64
	}
	var jobs []cell
	missions := *liesMost
	for row, l := range lieRows {
		if !rows.MatchString(l.name) {
			continue
		}
		for _, rate := range lieRates {
			seed := *liesFrom - 1
			for range missions {
				for seed++; startsOutside(seed); seed++ {
				}
				jobs = append(jobs, cell{row, rate, seed})
			}
		}
	}
	results, err := experiment.Run(ctx, jobs, runtime.GOMAXPROCS(0), func(ctx context.Context, c cell) (float64, error) {
		return lieRows[c.row].run(ctx, c.seed, c.rate, guard)
	}, nil)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| one fault |")
	for _, rate := range lieRates {
		fmt.Fprintf(&b, " %g Hz |", rate)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(lieRates)))
	for i := 0; i < len(jobs); i += missions {
		if jobs[i].rate == lieRates[0] {
			fmt.Fprintf(&b, "\n| %s |", lieRows[jobs[i].row].name)
		}
		far, left, worst := 0, 0, 0.0
		for _, out := range results[i : i+missions] {
			if *out > 0.5 {
				far++
			}
			if *out > 1 {
				left++
			}
			worst = max(worst, *out)
		}
		fmt.Fprintf(&b, " %d / %d (%.1f m) |", far, left, worst)
	}
	return b.String() + "\n", nil
}

func startsOutside(seed int64) bool {
	trial := drawHonest(seed)
	g := ground{trial.field.Boundary, trial.field.KeepOuts}
	return g.depth([2]float64{trial.start.X, trial.start.Y}) < 0
}

// run returns how far outside the robot comes in the mission of a seed, m. It goes on after a rule
// was broken.
func (l *lie) run(ctx context.Context, seed int64, rate float64, guard bool) (float64, error) {
	trial := drawHonest(seed)
	trial.guard = guard
	trial.setFixRate(rate)
	w := &trial.config.Fieldsim
	w.Fix.StdDev, w.PublishIMU = centimetres, l.gyroscope
	f := l.fault
	f.Number = 1
	switch f.Kind {
	case "":
		trial.Faults = nil
	case "encoder":
		trial.config.EKF.Odometry = "pose"
		fallthrough
	default:
		if f.Kind != "heading-wrong" {
			f.At = between(stream(seed, "lie"), 10, 30)
		}
		trial.Faults = []Fault{f}
	}
	folder, err := newFolder()
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	world, err := newWorld(trial, trial.Faults, folder)
	if err != nil {
		return 0, err
	}
	defer world.close()
	v := world.watcher
	err = world.Run(ctx, func() bool {
		v.violation = nil
		return v.ended()
	})
	return v.motion.farthest, err
}

// testimony is what comes through while a source lies.
type testimony struct {
	fixes         []orb.Point
	stated        []float64 // by the fixes: standard deviations, m
	off           []float64 // how far the fixes are from where the robot really is, m
	newest        int64     // stamp, ns
	gyro, rate    []float64 // yaw rates of the gyroscope, and really, rad/s
	wheels, speed []float64 // speeds of the odometry, and really, m/s
	firstYaw      float64   // the filter's first, off the truth, rad
	turned        float64   // largest turn within a step of the world, rad
}

// listen runs a mission with one source that lies from 20 s to 40 s, and returns what comes through
// then.
func listen(t *testing.T, f Fault) (h testimony) {
	t.Helper()
	const from, long = 20.0, 20.0
	f.Number, f.For = 1, long
	if f.Kind != "heading-wrong" {
		f.At = from
	}
	trial := drawHonest(1) // drives all the while
	if trial.Faults = []Fault{f}; f.Kind == "" {
		trial.Faults = nil
	}
	trial.config.Fieldsim.PublishIMU, trial.config.Fieldsim.Fix.StdDev = true, 0.3
	w, err := newWorld(trial, trial.Faults, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	read := func(m cdr.Message, b []byte) {
		if err := m.UnmarshalCDR(b); err != nil {
			t.Fatal(err)
		}
	}
	h.firstYaw = math.NaN()
	arrived, yaw, turn := w.wire.arrived, trial.start.Yaw, 0.0
	w.wire.arrived = func(topic string, b []byte) {
		arrived(topic, b)
		at := &w.truth
		var odometry nav_msgs.Odometry
		if topic == "/odometry/filtered" && math.IsNaN(h.firstYaw) {
			read(&odometry, b)
			q := odometry.Pose.Pose.Orientation
			h.firstYaw = math.Remainder(heading(q.Z, q.W)-at.pose.Yaw, 2*math.Pi)
		}
		if topic == "/ground_truth/odom" {
			if turn = math.Remainder(at.pose.Yaw-yaw, 2*math.Pi); math.Abs(turn) > math.Abs(h.turned) {
				h.turned = turn
			}
			yaw = at.pose.Yaw
		}
		if w.seconds() <= from || w.seconds() >= from+long {
			return
		}
		switch topic {
		case "/fix_pose":
			var m geometry_msgs.PoseWithCovarianceStamped
			read(&m, b)
			p := orb.Point{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
			h.fixes, h.stated = append(h.fixes, p), append(h.stated, math.Sqrt(m.Pose.Covariance[0]))
			h.off = append(h.off, apart(p, orb.Point{at.pose.X, at.pose.Y}))
			stamp := int64(m.Header.Stamp.Sec)*1e9 + int64(m.Header.Stamp.Nanosec)
			if stamp <= h.newest {
				t.Errorf("a fix has the stamp %d after %d", stamp, h.newest)
			}
			h.newest = stamp
		case "/imu":
			var m sensor_msgs.Imu
			read(&m, b)
			h.gyro, h.rate = append(h.gyro, m.AngularVelocity.Z), append(h.rate, turn*w.config.Fieldsim.Rate)
		case "/odom":
			read(&odometry, b)
			h.wheels, h.speed = append(h.wheels, odometry.Twist.Twist.Linear.X), append(h.speed, at.speed)
		}
	}
	if err := w.Run(t.Context(), func() bool { return w.seconds() > from+long }); err != nil {
		t.Fatal(err)
	}
	return h
}

// Each source that lies says what it should, and says it as sure and as fresh as ever.
func TestLieKinds(t *testing.T) {
	spread := func(p []orb.Point) float64 {
		sum := 0.0
		for _, q := range p {
			sum += (q[0]-p[0][0])*(q[0]-p[0][0]) + (q[1]-p[0][1])*(q[1]-p[0][1])
		}
		return math.Sqrt(sum / float64(2*len(p)))
	}
	ratio := func(a, b []float64) float64 { // a is how many times b
		ab, bb := 0.0, 0.0
		for i := range a {
			ab, bb = ab+a[i]*b[i], bb+b[i]*b[i]
		}
		return ab / bb
	}
	type number struct {
		name           string
		got, want, tol float64
	}
	for _, c := range []struct {
		fault Fault
		check func(h *testimony) []number
	}{
		{Fault{}, func(h *testimony) []number {
			return []number{{"spread", spread(h.fixes), 5, 3}, {"heading", h.firstYaw, 0, 0.1}, {"turn", h.turned, 0, 0.2},
				{"wheels", ratio(h.wheels, h.speed), 1, 0.1}, {"gyroscope", ratio(h.gyro, h.rate), 1, 0.1}, {"stated", h.stated[0], 0.3, 1e-9}}
		}},
		{Fault{Kind: "receiver-stuck"}, func(h *testimony) []number {
			return []number{{"spread", spread(h.fixes), 0, 0}, {"stated", h.stated[0], 0.3, 1e-9}}
		}},
		{Fault{Kind: "receiver-stuck", Size: centimetres}, func(h *testimony) []number {
			return []number{{"spread", spread(h.fixes), 0.02 * math.Sqrt2, 0.015}}
		}},
		{Fault{Kind: "receiver-stuck", Size: statedNoise}, func(h *testimony) []number {
			return []number{{"spread", spread(h.fixes), 0.3 * math.Sqrt2, 0.2}}
		}},
		{Fault{Kind: "receiver-jump", Size: 20}, func(h *testimony) []number {
			return []number{{"first", h.off[0], 20, 1.5}, {"last", h.off[len(h.off)-1], 20, 1.5}, {"stated", slices.Max(h.stated), centimetres, 1e-9}}
		}},
		{Fault{Kind: "receiver-drift", Size: 0.5}, func(h *testimony) []number {
			return []number{{"first", h.off[0], 0, 1.5}, {"last", h.off[len(h.off)-1], 10, 1.5}, {"stated", slices.Max(h.stated), centimetres, 1e-9}}
		}},
		{Fault{Kind: "heading-wrong", Size: -2}, func(h *testimony) []number { return []number{{"heading", h.firstYaw, -2, 0.1}} }},
		{Fault{Kind: "turned", Size: 2.5}, func(h *testimony) []number { return []number{{"turn", h.turned, 2.5, 0.2}} }},
		{Fault{Kind: "turned", On: "pause", Size: -1.5}, func(h *testimony) []number { return []number{{"turn", h.turned, -1.5, 0.01}} }},
		{Fault{Kind: "encoder", On: "left"}, func(h *testimony) []number {
			return []number{{"wheels", ratio(h.wheels, h.speed), 0.5, 0.1}}
		}},
		{Fault{Kind: "encoder", On: "right", Size: 2}, func(h *testimony) []number {
			return []number{{"wheels", ratio(h.wheels, h.speed), 1.5, 0.15}}
		}},
		{Fault{Kind: "gyroscope-stuck"}, func(h *testimony) []number {
			return []number{{"rate", slices.Max(h.gyro) - slices.Min(h.gyro), 0, 0}}
		}},
		{Fault{Kind: "gyroscope-scale", Size: 0.5}, func(h *testimony) []number {
			return []number{{"rate", ratio(h.gyro, h.rate), 0.5, 0.1}}
		}},
	} {
		t.Run(fmt.Sprint(c.fault.Kind, c.fault.On, c.fault.Size), func(t *testing.T) {
			h := listen(t, c.fault)
			for _, n := range c.check(&h) {
				if !(math.Abs(n.got-n.want) <= n.tol) {
					t.Errorf("%s: %.3g, want %.3g ± %.3g", n.name, n.got, n.want, n.tol)
				}
			}
		})
	}
}
