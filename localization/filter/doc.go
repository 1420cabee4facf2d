// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package filter estimates a robot's pose with an extended Kalman filter over wheel odometry, yaw rates,
// position fixes and headings. Units, frames and stamps are those of package localization. One goroutine
// owns a filter.
//
// The state of EKF is the pose, the slip of the wheels (Slip) and the bias of the gyroscope. Each
// step of odometry moves the pose. With yaw rates (PredictGyro) the heading follows the gyroscope, and
// the difference to the wheels' turn teaches the slip and the bias; wheels that stand teach the bias
// and hold the heading. Speed, drift, crab and a part of the turn vary with the ground and are
// forgotten over motionNoise.SlipLength; the lasting part of the turn belongs to the robot and is kept.
// Fixes correct the scale of the turn only after large turns, such as those on the spot: from the small
// ones by which a robot follows a line, the filter would learn its own errors.
//
// The error of fixes is a part of the state, too: a slow one, and a white one. How large each is is learnt for each kind
// of stated deviations (receiver). What no filter can know is an error that is there from the first fix on and does
// not change: a receiver that states 1 m and is off by 5.7 m for 25 minutes has beliefs that are off by as much.
//
// A fix that is beyond a χ² gate is weighed: the receiver's error explains most of it. Fixes along the way, of 16 s or
// more, are fitted to the way of the wheels; that does not depend on the heading, and tells the first one, too. There
// are four ways back:
//
//   - When fixes moved as far as the wheels, but in another direction, the heading is set anew. Until they
//     have confirmed a heading that was given, or that they contradict, they do not teach the scale of the turn.
//   - When fixes moved by another distance than the wheels, or have been beyond the gate MaxRejections times while
//     the wheels drove, either may be wrong (Doubt): the pose follows the fixes, and its covariance covers
//     the place that the wheels tell, until both agree again.
//   - After MaxRejections such fixes, and outlierTime, the next one is forced in.
//   - When the heading's deviation exceeds MaxYawStdDev, it is found anew, as the first.
//
// While innovations are biased, or fixes are beyond the gate, the covariance of Pose covers the place that they tell.
//
// # Sources
//
//   - Bar-Shalom, Li, Kirubarajan: Estimation with Applications to Tracking
//     and Navigation, Wiley 2001: Joseph form §5.2.6, consistency §5.4.
//   - Ljung: Asymptotic behavior of the extended Kalman filter as a parameter estimator for linear
//     systems, IEEE Transactions on Automatic Control 24, 1979.
//   - Thrun, Burgard, Fox: Probabilistic Robotics, MIT Press 2005: motion
//     models §5.3 and §5.4, EKF localisation §7.4.
package filter
