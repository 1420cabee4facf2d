// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package samples writes the samples of a mission to files for other software, CSV and
// GeoJSON, and reads samples from such files, so that those of earlier missions, or taken
// by hand, enter a later one.
//
// Both forms have a place, the uncertainty of that place, a value and its standard deviation for each sample. Columns of CSV have a name
// and, where it helps, a unit: "lon_deg", "value [mg/l]". The properties of GeoJSON have the same names without units; the units are in a
// property of their own.
//
//	lon_deg, lat_deg            longitude and latitude on WGS 84; GeoJSON has them in its geometry, like the next two
//	easting_m, northing_m       UTM, in the zone of the column epsg
//	x_m, y_m                    the map frame
//	sigma_major_m               standard deviation of the place along the longer axis of its ellipse
//	sigma_minor_m               the same along the shorter axis
//	sigma_azimuth_deg           direction of the longer axis, clockwise from the map's y, which is true north at the datum
//	place_stddev_m              only read, instead of those three: standard deviation in every direction
//	value, stddev               the measured value and the standard deviation of its noise
//	low, high                   only written, if the model uses logarithms: the limits of two standard deviations
//	value_log10, stddev_log10   only written, with them: value and standard deviation of the model, log10 or ln
//	sample, origin, stamp_s, readings   only written: the sample's number, who took it, when, and from how many readings
//	also_TOPIC, also_TOPIC_stddev       only written, for another quantity at the same stop: its value and the standard deviation of its noise, if known
//	path_m                      only written, for values of a second sensor: length of the piece of path, 0 at a stop
//
// Values are written in the units of [record.Scale], and read in any units that differ from those of the readings by a logarithm only:
// "mg/l", "log10(mg/l)" and "ln(mg/l)".
package samples
