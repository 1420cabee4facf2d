package localization

import "math"

// turnByDrive finds the heading anew when fix would be refused, as those before it
// were since the anchor. By these the antenna has come F = fix − anchor on its way,
// and by odometry, at the heading that the filter believes, D. When the lengths
// agree and the directions do not, it is the heading that is wrong, by ∠F − ∠D: that
// of a filter started again with the heading of another time, or told a wrong one. The
// position has gone astray with it, so both are set anew. It returns false, and
// changes nothing, when the fix is not refused, the way is too short, or it tells of
// something else: a jump of the fixes, wheels that spin.
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
	along := cfg.Motion.SlipStdDev.Speed * driven // odometry's length may be off by so much, for all of it
	length := quadratic2(&both, ux, uy) + along*along
	across := quadratic2(&both, -uy, ux) / (told * told)
	turn := WrapAngle(math.Atan2(fy, fx) - math.Atan2(dy, dx))
	newVariance := cfg.DriveYawStdDev * cfg.DriveYawStdDev
	switch {
	case (told-driven)*(told-driven) > gate[0]*length, across > newVariance:
		return false
	case turn*turn <= gate[0]*(across+e.p[stateYaw][stateYaw]):
		return false
	}
	yaw := WrapAngle(e.x[stateYaw] + turn)
	e.zeroPose()
	e.x[stateYaw] = yaw
	e.p[stateYaw][stateYaw] = newVariance
	e.placeByHeading(fix, cfg.Antenna)
	e.rejections = [2]int{}
	e.counts.Turned++
	e.counts.Accepted++
	e.innovation = Innovation{Stamp: e.stamp, Status: FixTurned, NIS: f.nis, DoF: m.rows, Residual: m.nu}
	return true
}
