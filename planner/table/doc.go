// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package table is the only reader of tables: values at places, and recordings.
//
// It reads these forms, and recognises them by their content:
//
//	separators     commas, semicolons, tabs or bars: the most frequent one of the header
//	decimals       points or commas; 1,234 only with other separators, if no number has a point, since it may also be a thousand
//	text           UTF-8, UTF-16 (both with or without a byte order mark if that is clear), or else Latin-1
//	comments       lines that begin with #, and empty ones
//	GeoJSON        a FeatureCollection of points, also each in a MultiPoint, whose properties are the columns
//	names          in any case, with a unit in brackets or after _: Value [mg/l], lon_deg, Moisture(%)
//	no value       nothing, NA, N/A, NaN, null, none, -; and -9999 and similar numbers far from all other values, see [Table.Values]
//
// A table with places has them in the first existing pair of these columns:
//
//	lon, lat              (also longitude, long, lng; latitude) degrees
//	x, y                  degrees if they are close to the map's datum, as GIS software writes them
//	easting, northing     (also east, north; x, y) in the system that a column epsg, crs or srid names
//	x, y                  metres of the map; also easting, northing or east, north if the map has no datum
//
// See package earth for the systems. In GeoJSON the member crs names the system; without it, coordinates are longitude and latitude if the
// map has a datum, and otherwise metres of the map.
package table
