// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package filter estimates a robot's pose with an extended Kalman filter over wheel odometry, yaw rates,
// position fixes and headings. Units, frames and stamps are those of package localization. One goroutine
// owns a filter.
//
// The state of EKF is the pose, the slip of the wheels (Slip), and the bias and the scale of the gyroscope. Each odometry step moves the
// pose. With yaw rates (PredictGyro) the heading follows the gyroscope, and in turns the difference from the wheels' turn corrects slip and
// bias. While the wheels stand, the bias is corrected and the heading is held. The parts of the slip vary with the ground and are forgotten
// over MotionNoise.SlipLength, that of the turn most slowly, since most of it belongs to the robot. Fixes correct the scale of the wheels' turn
// only after large turns, such as those on the spot: from the small turns by which a robot follows a line, the filter would learn its own
// errors. The scale of the gyroscope is corrected by fixes alone, because wheels that slip would teach a wrong one.
//
// The stamps of fixes may be later than the measurements, by a delay that is part of the state, too. Stops and turns show it. Turns also show
// whether the antenna is where the configuration says; until then its place adds to the covariance of the pose.
//
// The state also contains the slow part of the error of the fixes. The rest is white, or short: fixes within a second share it, and count once.
// The filter learns the size of each part for each kind of stated deviation (receiver). After float fixes, integer ambiguities are believed
// once they have lasted for 10 s. No filter can detect a constant error that is present from the first fix on: if a receiver states 1 m and is
// off by 5.7 m for 25 minutes, the beliefs are off by as much.
//
// A fix beyond a χ² gate gets less weight, since the receiver's error explains most of the difference. Fixes over 16 s or more, and
// over 100 m, are fitted to the path of the wheels; this needs no heading, and also gives the first one. While they have moved by less than
// half of that path, they do not teach how they err: the robot may be stuck. A fix that repeats the one before is not used, since many
// receivers publish more often than they measure; if it stays the same for 2.5 s while the wheels drive, it is. The filter recovers from errors
// in these ways:
//
//   - If the fixes have moved as far as the wheels, but in another direction, the heading is set again. Fixes do not correct the scale of
//     the turn until they have confirmed a given heading, or one that they had contradicted.
//   - If they do so a second time within 100 m, or move farther than the wheels, they err more than was believed: the size of their slow error
//     grows instead, the pose becomes uncertain, and further driving shows the heading.
//   - Measured headings have an error that lasts, as large as their difference from headings by driving shows. If it is above 40°, they are not
//     used until they agree again (compass).
//   - If gyroscope and wheels turn the robot by different angles, the fixes do not teach how they err. The gyroscope is not used if fixes have
//     since moved in the direction by the wheels, until they move in that by the gyroscope (rivals).
//   - If the fixes have moved by another distance than the wheels, or have been beyond the gate MaxRejections times while the wheels drove,
//     either may be wrong (Doubt): the pose follows the fixes, and its covariance also covers the position by the wheels, until both agree
//     again.
//   - After MaxRejections such fixes and outlierTime, the next fix is accepted in any case. If the fixes have jumped, the covariance of Pose
//     covers the place before the jump, too, until they have been at the new one for as long (jump).
//   - If the heading's standard deviation exceeds MaxYawStdDev, the heading is found again like the first one.
//
// While innovations are biased, or fixes are beyond the gate, the covariance of Pose also covers the position of the fixes.
//
// # Sources
//
//   - Bar-Shalom, Li, Kirubarajan: Estimation with Applications to Tracking
//     and Navigation, Wiley 2001: Joseph form §5.2.6, consistency §5.4.
//   - Li, Mourikis: Online temporal calibration for camera–IMU systems, International Journal of Robotics Research 33, 2014: the delay of
//     stamps as a part of the state.
//   - Ljung: Asymptotic behavior of the extended Kalman filter as a parameter estimator for linear
//     systems, IEEE Transactions on Automatic Control 24, 1979.
//   - Ljung: System Identification, 2nd edition, Prentice Hall 1999: instrumental variables §7.6.
//   - Thrun, Burgard, Fox: Probabilistic Robotics, MIT Press 2005: motion
//     models §5.3 and §5.4, EKF localisation §7.4.
package filter
