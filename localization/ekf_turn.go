package localization

import "math"

// turnByDrive corrects a wrong heading from the distance driven since fixes began to be refused.
// Between the anchor, which was the first fix refused, and this fix the antenna moved by F = fix −
// anchor; by odometry and the believed heading it moved by D. When F and D agree in length but not
// in direction, the heading is wrong by ∠F − ∠D. That happens when a filter is started with an old
// or a wrong heading, or turns by much less than its wheels tell. The position has drifted with the heading, so both are set anew. turnByDrive
// returns false and changes nothing when the fix would be accepted, when the distance is too short,
// or when the cause is another: fixes that jump, wheels that spin.
func (e *estimate) turnByDrive(fix *Fix, m *measurement, cfg *EKFConfig, gate *[2]float64) bool {
	f := e.factorise(m)
	if !f.ok || f.nis <= gate[1] {
		return false
	}
	dx, dy := fix.X-m.nu[0]-e.stray[0], fix.Y-m.nu[1]-e.stray[1]
	fx, fy := fix.X-e.anchor.X, fix.Y-e.anchor.Y
	driven, told := math.Hypot(dx, dy), math.Hypot(fx, fy)
	if driven < cfg.DriveDistance || told == 0 {
		return false
	}
	var both [2][2]float64
	for i := range both {
		for j := range both {
			both[i][j] = fix.Cov[i][j] + e.anchor.Cov[i][j]
		}
	}
	ux, uy := fx/told, fy/told
	along := cfg.Motion.SlipStdDev.Speed * driven // standard deviation of the odometry's length
	length := quadratic2(&both, ux, uy) + along*along
	across := quadratic2(&both, -uy, ux) / (told * told)
	turn := wrapAngle(math.Atan2(fy, fx) - math.Atan2(dy, dx))
	newVariance := cfg.DriveYawStdDev * cfg.DriveYawStdDev
	switch {
	case (told-driven)*(told-driven) > gate[0]*length, across > newVariance:
		return false
	case turn*turn <= gate[0]*(across+e.p[stateYaw][stateYaw]):
		return false
	}
	e.turnTo(wrapAngle(e.x[stateYaw]+turn), newVariance, fix, cfg)
	e.counts.Accepted++
	e.innovation = Innovation{Stamp: e.stamp, Status: FixTurned, NIS: f.nis, DoF: m.rows, Residual: m.nu}
	return true
}
