// Package tf follows the transforms on /tf and /tf_static, and makes poses of them: the
// place of a robot by the chain of frames map → odom → … → base_link (REP-105), with the
// covariance that a localisation such as AMCL states only now and then.
package tf
