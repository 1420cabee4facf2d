// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package field holds the places where a robot may sample, and the distances that it
// drives between them.
//
//   - [Space] is any set of possible targets: a [Box] of any dimension, or a [Region] of
//     the plane.
//   - [Field] is the outline of a field, with keep-outs. [ReadField] and [WriteField]
//     convert it from and to GeoJSON; an [earth.Datum] converts longitude and latitude to
//     metres.
//   - [Region] is the part of a field that keeps a margin from every edge. [Region.Path] is the shortest path inside it. A [DistanceField]
//     answers many queries from one start. A [Raster] has the region as cells, for other planners.
//
// [ReadField] reads these files:
//
//	GeoJSON           a FeatureCollection, a Feature, a Polygon, a MultiPolygon or a GeometryCollection of these, in UTF-8 or UTF-16, also with a byte order mark
//	coordinates       those of package earth; without a declaration, metres of the map, or degrees if the numbers look like degrees
//	several fields    one of them, by its name or number
//	places to avoid   features with keep_out, or the role keep_out, in any spelling of true
//	slivers           parts below 1 % of a field's area are left out
//	rings             spikes and crossings are repaired where that changes less than 0.1 % of the area
//	corners           more than 2000 are reduced
//	other formats     refused, with the command that converts them; see table.Foreign
//
// A point of the plane is an [orb.Point]. Where the dimension is free, as in [Space], a
// point is a []float64. Coordinates and distances are metres, x points east and y north.
package field
