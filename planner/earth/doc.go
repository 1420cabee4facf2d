// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package earth is the one door for coordinates: of outlines, tables, rasters, and of the results for other
// software. It knows what a file calls its coordinate reference system, and converts between that and the map frame
// of a mission.
//
// The map frame of a field with a datum is the plane that touches the ellipsoid there, x
// to the true east and y to the true north; see [Datum]. UTM's north differs from
// that by the convergence of the meridians, up to 3° in the middle latitudes, and its scale
// by up to 0.1 %.
//
// These systems are known, by their numbers in the EPSG registry and by their names:
//
//	longitude and latitude   WGS 84 (4326, CRS84), ETRS89 (4258), NAD83 (4269, CRS83) and its realisations (4617, 4152, 4759, 6318),
//	                         GDA94 (4283), GDA2020 (7844), SIRGAS 2000 (4674), JGD2000 (4612), JGD2011 (6668), NZGD2000 (4167), RGF93 (4171), CGCS2000 (4490)
//	UTM                      WGS 84 (326zz, 327zz), ETRS89 (25828 to 25837), NAD83 (26901 to 26923) and its realisations,
//	                         GDA94 (283zz), GDA2020 (7846 to 7859), SIRGAS 2000 (31965 to 31985, 5396, 6210, 6211), JGD2000 (3097 to 3101), JGD2011 (6688 to 6692)
//	web Mercator             3857, 900913, 102100
//	metres of the map        LOCAL_CS or ENGCRS, as this package's own results have
//
// A number may stand in any usual form: EPSG:4326, urn:ogc:def:crs:EPSG::4326, http://www.opengis.net/def/crs/EPSG/0/4326. All others are
// an [*UnknownError]. The datums of this list are taken for the same: they differ by less than 2 m, and which of them a receiver's positions
// are in depends on its corrections.
package earth
