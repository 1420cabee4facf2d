// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package export writes the results of a mission for other software, such as geographic
// information systems and the terminals of farm machines:
//
//	about.txt                             the answer, and a list of the files
//	samples.csv, samples.geojson          all samples, with the uncertainty of value and place
//	recommended.csv, recommended.geojson  the recommended place
//	heard.csv, heard.geojson              what a second sensor measured on the way
//	field.geojson, path.geojson           outline and keep-outs; where the robot drove
//	contours.geojson                      lines along which the posterior mean has the same value
//	zones.geojson, zones.csv              polygons in which the mean is between two values, and their table
//	mean.tif, stddev.tif                  posterior mean and standard deviation, GeoTIFF
//	secondary.tif                         posterior mean of the second sensor's quantity, in its own unit, GeoTIFF
//	also_phosphorus.tif, …                posterior means of other quantities of the samples, GeoTIFF
//	zones.qml, mean.qml, …                the colours of zones and of each map for QGIS
//	mission.kml                           all layers, with a datum
//
// All values are in the units of the page and the report; see [record.Scale]. If the model uses logarithms, mean.tif is the median, low.tif
// and high.tif are the limits of the interval of 95 %, and the model's own values are in mean_log10.tif, stddev_log10.tif and in columns
// with the same endings.
//
// With a datum the coordinates are longitude and latitude on WGS 84, or UTM; otherwise they are metres of the map. See package earth.
//
// The maps are north-up in their own coordinates. The map frame is not: its y is true north at the datum, from which UTM's north deviates.
// Maps are therefore not resampled: the posterior is evaluated again at the centre of each cell of a file. Cells whose centres lie outside
// the outline, in a hole or in a keep-out have no data (NaN).
//
// Contour lines and zones are found on a grid of the maps' cells, or of larger ones if these
// were more than 250000. It reaches beyond the outline; the result is then clipped to the
// field without its keep-outs.
package export
