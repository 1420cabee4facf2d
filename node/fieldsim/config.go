package fieldsim

import (
	"fmt"
	"math"

	"ugp_explorer/node/ros"
	"ugp_explorer/sim"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "fieldsim"

// Config is everything that the simulated world can be told.
type Config struct {
	Seed int64
	Rate float64 // of the plant and of /clock, Hz
	// Speed is how many simulated seconds pass in one of the wall clock. It is for
	// a process of its own: in-process simulated time is as fast as can be.
	Speed float64
	// Lead is how far time of another speed may run ahead of the last velocity
	// command, s: then it waits for the next.
	Lead float64

	Start []float64 // x, y (m), yaw (rad); empty: just inside the field's south-west corner

	Field    FieldConfig
	Plant    sim.PlantConfig
	Odometer sim.OdometerConfig
	Fix      sim.FixConfig
	Shadow   ShadowConfig
	Probe    sim.ProbeConfig
}

// DefaultConfig returns the made-up farm and the robot that the sim package
// has by default.
func DefaultConfig() Config {
	return Config{
		Rate:     20,
		Speed:    1,
		Lead:     0.25,
		Plant:    sim.DefaultPlantConfig(),
		Odometer: sim.DefaultOdometerConfig(),
		Fix:      sim.DefaultFixConfig(),
		Shadow:   ShadowConfig{Factor: 10},
		Probe:    sim.DefaultProbeConfig(),
	}
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *ros.ParameterSet {
	set := ros.NewParameterSet()
	set.Int64(&c.Seed, "seed", ros.Range(0, math.MaxInt32), ros.ReadOnly(),
		ros.Describe("of the field, the robot and its sensors: the same seed, the same world"))
	set.Float64(&c.Rate, "rate", ros.Unit("Hz"), ros.Range(1, 1000), ros.ReadOnly(),
		ros.Describe("steps of the robot and messages on /clock each second"))
	set.Float64(&c.Speed, "clock.speed", ros.Range(0.01, 1000), ros.ReadOnly(),
		ros.Describe("simulated seconds that pass in a second, for a process of its own; other than 1, the other nodes need use_sim_time"))
	set.Float64(&c.Lead, "clock.lead", ros.Unit("s"), ros.Range(0.05, 1000), ros.ReadOnly(),
		ros.Describe("how far time of another speed may run ahead of the last velocity command; then the clock waits for the next, for a second at most"))
	set.Float64s(&c.Start, "start", ros.Unit("m, m, rad"), ros.ReadOnly(),
		ros.Describe("x, y and yaw at which the robot starts; empty: just inside the field's south-west corner"))
	set.String(&c.Field.File, "field.file", ros.ReadOnly(),
		ros.Describe("point data to be kriged into the true field: a CSV with named columns, or Broom's Barn's own format; empty: a synthetic field"))
	set.String(&c.Field.Columns.X, "field.x_column", ros.ReadOnly(),
		ros.Describe("column of the eastings; empty: x, east or easting"))
	set.String(&c.Field.Columns.Y, "field.y_column", ros.ReadOnly(),
		ros.Describe("column of the northings; empty: y, north or northing"))
	set.String(&c.Field.Columns.Value, "field.value_column", ros.ReadOnly(),
		ros.Describe("column of the quantity; empty: log10 K in Broom's Barn's format, else the only one left"))
	set.Float64(&c.Field.Range, "field.range", ros.Unit("m"), ros.Range(0, 1e6), ros.ReadOnly(),
		ros.Describe("range of a synthetic field's variogram; 0: that of Broom's Barn"))
	set.String(&c.Field.Boundary, "field.boundary_file", ros.ReadOnly(),
		ros.Describe("GeoJSON outline of the field; empty: the outline of the data, or the made-up farm"))
	set.Float64s(&c.Field.Datum, "field.datum", ros.Unit("deg, deg"), ros.ReadOnly(),
		ros.Describe("longitude and latitude of the map's origin, for a boundary in degrees; empty: the boundary is in metres"))

	set.Float64(&c.Plant.MaxSpeed, "robot.max_speed", ros.Unit("m/s"), ros.Range(0.1, 10), ros.ReadOnly(),
		ros.Describe("what the motors can do, either way"))
	set.Float64(&c.Plant.TurnFractionLow, "robot.turn_fraction_low", ros.Range(c.Plant.TurnFractionMin, c.Plant.TurnFractionMax), ros.ReadOnly(),
		ros.Describe("least fraction of the commanded yaw rate that skidding leaves; drawn for the run"))
	set.Float64(&c.Plant.TurnFractionHigh, "robot.turn_fraction_high", ros.Range(c.Plant.TurnFractionMin, c.Plant.TurnFractionMax), ros.ReadOnly(),
		ros.Describe("largest fraction of the commanded yaw rate that skidding leaves"))
	set.Float64(&c.Plant.LongitudinalSlip, "robot.slip", ros.Range(0, 0.5), ros.ReadOnly(),
		ros.Describe("mean loss of forward speed"))

	set.Float64(&c.Fix.Period, "fix.period", ros.Unit("s"), ros.Range(0.01, 3600), ros.ReadOnly(),
		ros.Describe("between two position fixes"))
	set.Float64(&c.Fix.StdDev, "fix.stddev", ros.Unit("m"), ros.Range(0.001, 100), ros.ReadOnly(),
		ros.Describe("white error of a fix in x and in y, claimed in its covariance"))
	set.Float64(&c.Fix.CorrelatedStdDev, "fix.correlated_stddev", ros.Unit("m"), ros.Range(0, 100), ros.ReadOnly(),
		ros.Describe("slowly varying error of the fixes that their covariance does not claim"))
	set.Float64(&c.Fix.OutageGap, "fix.outage_gap", ros.Unit("s"), ros.Range(0, 1e6), ros.ReadOnly(),
		ros.Describe("mean time between two outages of the fixes; 0: no outages"))
	set.Float64(&c.Fix.OutageLength, "fix.outage_length", ros.Unit("s"), ros.Range(0.1, 1e6), ros.ReadOnly(),
		ros.Describe("mean length of an outage"))

	set.Float64s(&c.Shadow.Corners, "fix.shadow", ros.Unit("m"), ros.ReadOnly(),
		ros.Describe("corners x, y, x, y … of an area in which fixes are poor, as in the lee of a wood; empty: there is none"))
	set.Float64(&c.Shadow.Factor, "fix.shadow_factor", ros.Range(1, 1000), ros.ReadOnly(),
		ros.Describe("on the deviation of the fixes there, claimed too"))
	set.Bool(&c.Shadow.Missing, "fix.shadow_missing", ros.ReadOnly(),
		ros.Describe("no fixes there at all"))

	set.Float64(&c.Probe.Forward, "probe.x", ros.Unit("m"), ros.Range(-10, 10), ros.ReadOnly(),
		ros.Describe("place of the probe on the robot, forward of its base"))
	set.Float64(&c.Probe.Left, "probe.y", ros.Unit("m"), ros.Range(-10, 10), ros.ReadOnly(),
		ros.Describe("place of the probe on the robot, left of its base"))
	set.Float64(&c.Probe.StdDev, "probe.stddev", ros.Unit("field's unit"), ros.Range(0, 1e9), ros.ReadOnly(),
		ros.Describe("noise of one reading, claimed as its variance"))
	set.Float64(&c.Probe.Period, "probe.period", ros.Unit("s"), ros.Range(0.01, 3600), ros.ReadOnly(),
		ros.Describe("between two readings"))
	set.Float64(&c.Probe.Jitter, "probe.jitter", ros.Unit("s"), ros.Range(0, 3600), ros.ReadOnly(),
		ros.Describe("by which that varies either way; less than probe.period"))
	set.Float64(&c.Probe.Delay, "probe.delay", ros.Unit("s"), ros.Range(0, 60), ros.ReadOnly(),
		ros.Describe("between a reading and its message"))
	set.Bool(&c.Probe.OnlyStanding, "probe.only_standing", ros.ReadOnly(),
		ros.Describe("probe only while the robot stands still"))
	return set
}

// Validate names the first parameter out of its range.
func (c *Config) Validate() error {
	if len(c.Start) != 0 && len(c.Start) != 3 {
		return fmt.Errorf("fieldsim: start has %d numbers, want none or x, y, yaw", len(c.Start))
	}
	if len(c.Field.Datum) != 0 && len(c.Field.Datum) != 2 {
		return fmt.Errorf("fieldsim: field.datum has %d numbers, want none or longitude, latitude", len(c.Field.Datum))
	}
	if err := c.Shadow.validate(); err != nil {
		return err
	}
	for _, err := range []error{c.Plant.Validate(), c.Odometer.Validate(), c.Fix.Validate(), c.Probe.Validate()} {
		if err != nil {
			return fmt.Errorf("fieldsim: %w", err)
		}
	}
	return nil
}
