package filter

// turnLearnt is the angle, in standard deviations of the heading, by which a robot must have turned
// before fixes correct the scale of its turn.
//
// A robot that follows a line steers against the filter's last correction of the heading. With process
// noise on the safe side that correction is too large, so the next fix takes back a part of it, in the
// direction of the steering: the robot seems to turn by more than it does. Over kilometres of steering
// the scale came out wrong by half, with a standard deviation of a tenth. (With a wrong process noise
// the filter's estimates of parameters are biased: Ljung, Asymptotic behavior of the extended Kalman
// filter as a parameter estimator for linear systems, IEEE Transactions on Automatic Control 24, 1979.)
// The false turn is about a standard deviation of the heading, so a much larger turn is safe to learn from.
const turnLearnt = 6

// learnsTurn reports whether fixes may correct the scale of the turn: the robot has turned far enough, and
// its heading has been confirmed. A wrong heading that was given, or came about by hand, would pass for a
// turn by another scale, and lead to wrong headings after each later turn.
//
// With P of the heading ψ and the scale k, the sum of its lasting and its varying part, P_ψk/P_kk is
// the turn that fixes have not confirmed yet, and P_ψψ − P_ψk²/P_kk the variance of the heading for a
// known scale.
func (e *estimate) learnsTurn(cfg *Config) bool {
	p := &e.p
	scale := p.turnVariance()
	both := p[stateYaw][stateTurn] + p[stateYaw][stateSkid]
	return (e.confirmed || cfg.ignoreWays) && both*both > turnLearnt*turnLearnt*scale*(p[stateYaw][stateYaw]*scale-both*both)
}
