// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package earth converts all coordinates of files: outlines, tables, rasters, and results for other software. It identifies a file's
// coordinate reference system, and converts between that and the map frame of a mission.
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
//	metres of the map        LOCAL_CS or ENGCRS, as in this package's own results
//
// A number may have any usual form: EPSG:4326, urn:ogc:def:crs:EPSG::4326, http://www.opengis.net/def/crs/EPSG/0/4326. All other systems
// are an [*UnknownError]. The datums of this list are treated as identical: they differ by less than 2 m, and the datum of a receiver's
// positions depends on its corrections.
package earth
