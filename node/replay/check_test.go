package replay

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
)

func check(t *testing.T, path string, cfg Config) *Verdict {
	t.Helper()
	src, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	v, err := Check(src, &cfg, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The figures of the lawnmower bag are those of its README: rates, noise, lever.
func TestCheckLawnmower(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Explorer.Reading.Delay = 0.2
	v := check(t, bags+"lawnmower_sqlite3_zstd_file", cfg)
	if len(v.Poses) != 2 || len(v.Readings) != 1 || len(v.Matches) != 2 || v.Truth != truthTopic || v.Lost != 0 {
		t.Fatalf("%+v", v)
	}
	for _, p := range v.Poses {
		period := map[string]float64{"/odometry/filtered": 0.5, "/pose": 1}[p.Topic.Name]
		if p.Used != p.Topic.Count || p.Frames["map"] != p.Topic.Count || math.Abs(p.Period[0]-period) > 1e-9 ||
			p.ZeroCovariance+p.InvalidCovariance+p.Asymmetric+p.Back+p.Unusable != 0 || p.Speeds != p.HasTwist {
			t.Errorf("%+v", p)
		}
		// Its README: covariances grow along each lane, 0.64 m² to 9.5 m² across.
		if math.Abs(p.Deviation[0]-0.8) > 0.01 || math.Abs(p.Deviation[4]-3.08) > 0.05 {
			t.Errorf("%s: deviations %v", p.Topic.Name, p.Deviation)
		}
	}
	// The noise of a reading is 0.02, and the field changes little in 3 m.
	if r := v.Readings[0]; r.Count != 960 || r.Stamped+r.Stated+r.Odd != 0 || math.Abs(r.Spread-0.02) > 0.003 {
		t.Errorf("%+v", r)
	}
	for _, m := range v.Matches {
		if m.Pose == "/odometry/filtered" && (m.Counts.Matched != 960 || m.Share != 1) {
			t.Errorf("%+v", m)
		}
	}
	if len(v.Levers) != 1 || !strings.Contains(v.Levers[0], "soil_probe is at (-0.4, 0) m from base_link") {
		t.Errorf("%q", v.Levers)
	}
	if !v.Usable || !strings.Contains(v.Command, "--pose-topic /odometry/filtered --reading-topic /soil/reading -p reading.stddev:=0.0") {
		t.Errorf("%v: %s; %s", v.Usable, v.Why, v.Command)
	}
}

func TestCheckSparsePoses(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Pose = "/pose"
	v := check(t, bags+"lawnmower_mcap_zstd", cfg)
	if v.Usable || !strings.Contains(v.Why, "in a gap between poses; poses come every 1 s, and -p pose.max_gap:=2 bridges that") {
		t.Errorf("%v: %s", v.Usable, v.Why)
	}
	cfg.Explorer.PoseGap = 2
	if v = check(t, bags+"lawnmower_mcap_zstd", cfg); !v.Usable {
		t.Errorf("with pose.max_gap: %s", v.Why)
	}
}

// Covariances of zeros, NaN and more are counted, and the verdict says what helps.
func TestCheckCovariances(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad")
	r := makeBag(t, path, epoch)
	for i := range 40 {
		r.at += int64(100 * time.Millisecond)
		m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "odom"}}
		m.Pose.Pose.Orientation.W = 1
		switch {
		case i < 25:
		case i < 30:
			m.Pose.Covariance[0] = math.NaN()
		case i < 37:
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[1] = 1, 1, 0.5
		default:
			m.Header.FrameID = "elsewhere"
		}
		r.write("/odometry/filtered", &m)
		r.reading(float64(i))
	}
	r.close()
	v := check(t, path, DefaultConfig())
	p := v.Poses[0]
	if p.ZeroCovariance != 25 || p.InvalidCovariance != 5 || p.Asymmetric != 7 || p.Used != 0 || p.Frames["odom"] != 37 || p.Frames["elsewhere"] != 3 {
		t.Errorf("%+v", p)
	}
	if v.Usable || !strings.Contains(v.Why, "pose.zero_stddev:=0.5") {
		t.Errorf("%v: %s", v.Usable, v.Why)
	}
	cfg := DefaultConfig()
	cfg.Explorer.Covariance.ZeroPositionStdDev = 0.5
	if v = check(t, path, cfg); !v.Usable || v.Poses[0].Used != 25 {
		t.Errorf("with a deviation in the place of zeros: %s", v.Why)
	}
}

// Stamps of another clock are a problem to Check as they are to Take, in every topic that a replay
// reads, those of the filter included.
func TestCheckStamps(t *testing.T) {
	const hour = int64(time.Hour)
	for _, c := range []struct {
		name         string
		poses, fixes bool  // of these the bag has poses, or what the filter needs
		age          int64 // of the stamps, ns
		want         []string
	}{
		{"true stamps", true, false, 0, nil},
		{"older poses", true, false, hour, []string{"/odometry/filtered: stamps are 3600 s to 3600 s older than the record time: they are of another clock, or the messages came late"}},
		{"newer poses", true, false, -hour, []string{"/odometry/filtered: stamps are 3600 s to 3600 s newer than the record time: they are of another clock, or the messages came late"}},
		{"older fixes", false, true, hour, []string{"/fix: stamps are 3600 s to 3600 s older", "/imu: stamps are 3600 s to 3600 s older", "/odom: stamps are 3600 s to 3600 s older"}},
	} {
		path := filepath.Join(t.TempDir(), "clock")
		r := makeBag(t, path, epoch)
		for i := range 40 {
			r.at += int64(100 * time.Millisecond)
			header := std_msgs.Header{Stamp: ros.TimeMsg(r.at - c.age), FrameID: "map"}
			m := nav_msgs.Odometry{Header: header}
			m.Pose.Pose.Orientation.W = 1
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = 0.1, 0.1, 0.1
			if c.poses {
				r.write("/odometry/filtered", &m)
			}
			if c.fixes {
				m.Header.FrameID = "odom"
				r.write("/odom", &m)
				r.write("/fix", &sensor_msgs.NavSatFix{Header: header, Latitude: 52, Longitude: 8})
				r.write("/imu", &sensor_msgs.Imu{Header: header})
			}
			r.reading(float64(i))
		}
		r.close()
		v := check(t, path, DefaultConfig())
		if len(v.Problems) != len(c.want) {
			t.Errorf("%s: the problems are %q, want %q", c.name, v.Problems, c.want)
		}
		for _, want := range c.want {
			if !slices.ContainsFunc(v.Problems, func(p string) bool { return strings.HasPrefix(p, want) }) {
				t.Errorf("%s: %q is not among the problems %q", c.name, want, v.Problems)
			}
		}
	}
}

// What differs between stamps and record times is said in words that need no sign.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		want        string
	}{{5.5, 7, "5.5 s to 7 s older than"}, {-7, -5.5, "5.5 s to 7 s newer than"}, {-2, 6, "from 2 s newer to 6 s older than"}} {
		if got := apart(c.least, c.most); got != c.want {
			t.Errorf("%g to %g: %q, want %q", c.least, c.most, got, c.want)
		}
	}
}

// An inventory counts, times and judges the messages of each topic.
func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd")
	r := makeBag(t, path, epoch)
	for i := range 30 {
		r.at += int64(time.Second)
		if i == 20 {
			r.at += int64(time.Minute)
		}
		stamp := r.at - int64(time.Second)/4
		switch i {
		case 10:
			stamp = 0
		case 15:
			stamp -= 3 * int64(time.Second)
		}
		r.write("/odom", &nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(stamp)}})
		r.write("/value", &std_msgs.Float64{})
	}
	if err := r.w.AddTopic(bag.Topic{Name: "/strange", Type: "strange_msgs/msg/Thing"}); err != nil {
		t.Fatal(err)
	}
	if err := r.w.Write("/strange", r.at, r.at, []byte{0, 1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	r.close()
	src, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	inv, err := Take(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range inv.Topics {
		switch i.Name {
		case "/odom":
			if i.Read != 30 || !i.Known || !i.Stamped || i.Back != 1 || i.Unset != 1 || i.Gap != 61 || i.GapAt != 19 ||
				math.Abs(i.Rate-29.0/89) > 1e-9 || math.Abs(i.LeastAge-0.25) > 1e-9 || math.Abs(i.MostAge-3.25) > 1e-9 {
				t.Errorf("%+v", i)
			}
		case "/value":
			if i.Stamped || i.Read != 30 {
				t.Errorf("%+v", i)
			}
		case "/strange":
			if i.Known || i.Stamped || !math.IsNaN(i.Rate) || !math.IsNaN(i.Gap) {
				t.Errorf("%+v", i)
			}
		}
	}
	text := strings.Join(inv.Problems, "\n")
	for _, want := range []string{"/odom: no messages for 61.0 s from 19.0 s on", "/odom: 1 stamps go back", "/odom: 1 stamps are zero"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not among the problems:\n%s", want, text)
		}
	}
}
