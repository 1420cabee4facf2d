package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation/advise"
)

type adviseCommand struct {
	Field      string `group:"field" required:"" help:"GeoJSON outline of the field, with holes and keep-outs, in metres or, with --datum, in degrees: field.file of the explorer." type:"path" placeholder:"FILE"`
	Datum      word   `group:"field" help:"Longitude and latitude of the map's origin in degrees; needed if --field is in degrees." placeholder:"LON,LAT"`
	Range      word   `group:"field" help:"Smallest and largest value that the field has, in the unit of a reading. Default: results are in standard deviations of the field." placeholder:"LOW,HIGH"`
	Length     word   `group:"field" help:"Length-scale in metres, over which the field stays alike: about a third of the range of a variogram. Default: fields of very different lengths are drawn." placeholder:"M"`
	Earlier    string `group:"field" help:"Samples from before the mission, CSV or GeoJSON: earlier.file of the explorer. The fields that are drawn agree with them, and the explorer knows them." type:"path" placeholder:"FILE"`
	Speed      word   `group:"mission" help:"Mean speed of the robot in m/s (budget.speed, by default 1 for a robot of 0.8 m and more)." placeholder:"V"`
	SampleTime word   `group:"mission" help:"Time that a sample takes in seconds (budget.sample_time, by default 5)." placeholder:"S"`
	Distance   word   `group:"mission" help:"Distance that the robot may drive, the way home included, such as 6km or 800m." placeholder:"D"`
	Time       word   `group:"mission" help:"Time until the robot must be home, such as 2h, 90min or 600s." placeholder:"T"`
	Samples    word   `group:"mission" help:"Number of samples." placeholder:"N"`
	Missions   word   `group:"run" help:"Number of simulated missions for each budget (40)." default:"40" placeholder:"N"`
	Workers    word   `group:"run" help:"Number of missions that run in parallel (0: the number of processors)." default:"0" placeholder:"N"`
	Config     string `group:"run" help:"ROS YAML file with parameters of the explorer, as for the mission. Flags override the file." type:"path" placeholder:"FILE"`
	Out        string `group:"run" help:"Folder for trials.jsonl, results.csv, table.md, advice.png and advice.svg (out/advise)." default:"out/advise" type:"path" placeholder:"DIR"`
	Resume     bool   `group:"run" help:"Continue the run in --out: finished missions are not run again; missions can be added."`
	seedFlag   `embed:""`

	config []byte
}

// Help returns the second part of the command's help.
func (adviseCommand) Help() string {
	return `Draws fields that yours may be like, runs missions of the explorer on them with a robot that drives exactly along its paths, and says how far below the best the place is that they find, how wrong their maps are, and what other budgets come to. Without --distance, --time and --samples it tries several budgets and says beyond which more buys little. The answer is for fields as the explorer assumes them: the more is known (--range, --length, --earlier), the more it says about yours.`
}

// adviseHeader holds what the missions of a log have in common.
type adviseHeader struct {
	Experiment string `json:"experiment"`
	Outline    string `json:"outline"` // content of the file
	Earlier    string `json:"earlier"` // content of the file
	Config     string `json:"config"`  // content of the file
	Datum      word   `json:"datum"`
	Range      word   `json:"range"`
	Length     word   `json:"length"`
	Speed      word   `json:"speed"`
	SampleTime word   `json:"sample_time"`
	Seed       word   `json:"seed"`
}

// Run simulates the missions and prints the answer.
func (c *adviseCommand) Run(t terminal) error {
	cfg := advise.Config{Parameters: c.parameters}
	workers, err := c.Workers.workers()
	err = cmp.Or(err,
		whole("--missions", c.Missions, advise.LeastMissions, 100000, &cfg.Missions),
		c.seedFlag.read(&cfg.Seed),
		c.budget(&cfg),
		c.known(&cfg),
		writable(c.Out),
	)
	header := adviseHeader{"advise", "", "", "", c.Datum, c.Range, c.Length, c.Speed, c.SampleTime, c.Seed}
	for _, file := range []struct {
		flag, name string
		into       *string
	}{{"--field", c.Field, &header.Outline}, {"--earlier", c.Earlier, &header.Earlier}, {"--config", c.Config, &header.Config}} {
		if file.name == "" || err != nil {
			continue
		}
		content, failed := os.ReadFile(file.name)
		if failed != nil {
			err = badInput{fmt.Errorf("%s: %w", file.flag, failed)}
		}
		*file.into = string(content)
	}
	if err != nil {
		return err
	}
	c.config = []byte(header.Config)
	plan, err := advise.New(cfg)
	if err != nil {
		return badInput{err}
	}
	started := t.now()
	s := plan.Study(header)
	outcomes, err := finish(t, s, c.Out, "", c.Resume, workers, s.Unit)
	if err != nil {
		return err
	}
	answer := plan.Answer(outcomes)
	var csv bytes.Buffer
	if err := s.WriteCSV(&csv, outcomes); err != nil {
		return err
	}
	png, svg, err := answer.Pictures()
	if err != nil {
		return err
	}
	text := answer.Table() + "\n" + answer.Sentence() + "\n"
	err = writeFiles(c.Out, map[string][]byte{"results.csv": csv.Bytes(), "table.md": []byte(text), "advice.png": png, "advice.svg": svg})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s\nThe picture is %s. It took %s.\n", text, filepath.Join(c.Out, "advice.png"), clock(math.Ceil(t.now().Sub(started).Seconds())))
	return nil
}

// parameters returns the explorer's parameters from --config and the flags.
func (c *adviseCommand) parameters() (*param.Overrides, error) {
	o := &param.Overrides{}
	if err := o.AddYAML(c.Config, c.config); err != nil {
		return nil, badInput{err}
	}
	set := func(name, value string) string { return explorer.DefaultName + ":" + name + ":=" + value }
	rules := []string{set("field.file", fmt.Sprintf("%q", c.Field))}
	if c.Earlier != "" {
		rules = append(rules, set("earlier.file", fmt.Sprintf("%q", c.Earlier)))
	}
	if c.Datum != "" {
		at, err := c.Datum.place("--datum")
		if err != nil {
			return nil, err
		}
		rules = append(rules, set("field.datum", fmt.Sprintf("[%s, %s]", double(at[0]), double(at[1]))))
	}
	for _, flag := range []struct {
		name, parameter string
		given           word
		lo, hi          float64
	}{
		{"--speed", "budget.speed", c.Speed, 0.01, 30},
		{"--sample-time", "budget.sample_time", c.SampleTime, 0, 86400},
	} {
		if flag.given == "" {
			continue
		}
		v, err := flag.given.float(flag.name, flag.lo, flag.hi)
		if err != nil {
			return nil, err
		}
		rules = append(rules, set(flag.parameter, double(v)))
	}
	return o, assign(o, rules...)
}

// budget reads the budget that the user asks about.
func (c *adviseCommand) budget(cfg *advise.Config) error {
	b := &cfg.Budget
	return cmp.Or(
		c.Distance.quantity("--distance", "6km or 800m", "m", map[string]float64{"km": 1000, "m": 1}, 1, 1e6, &b.Distance),
		c.Time.quantity("--time", "2h, 90min or 600s", "s", map[string]float64{"h": 3600, "min": 60, "s": 1}, 1, 30*86400, &b.Duration),
		whole("--samples", c.Samples, 1, 10000, &b.Samples),
	)
}

// known reads what is known of the field.
func (c *adviseCommand) known(cfg *advise.Config) error {
	if c.Range != "" {
		var r [2]float64
		parts := strings.Split(string(c.Range), ",")
		ok := len(parts) == 2
		for i := range r {
			if ok {
				var err error
				r[i], err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
				ok = err == nil && !math.IsNaN(r[i]) && !math.IsInf(r[i], 0)
			}
		}
		if !ok || !(r[0] < r[1]) {
			return badInput{fmt.Errorf("--range is %q: want two numbers separated by a comma, the smaller one first", string(c.Range))}
		}
		cfg.Known.Range = &r
	}
	if c.Length != "" {
		var err error
		cfg.Known.Length, err = c.Length.float("--length", 0.01, 1e6)
		return err
	}
	return nil
}

// quantity parses a number with one of some units, which are factors of the unit base, from lo
// to hi in that. A flag that is not given leaves v unchanged.
func (w word) quantity(flag, example, base string, units map[string]float64, lo, hi float64, v *float64) error {
	if w == "" {
		return nil
	}
	digits := strings.TrimRight(string(w), "abcdefghijklmnopqrstuvwxyz")
	factor := units[string(w)[len(digits):]]
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if x *= factor; err != nil || !(factor > 0 && x >= lo && x <= hi) {
		return badInput{fmt.Errorf("%s is %q: want a number with its unit, such as %s, from %s to %s %s", flag, string(w), example, decimal(lo), decimal(hi), base)}
	}
	*v = x
	return nil
}
