// Package field holds the places where a robot may sample, and the distances that it
// drives between them.
//
//   - [Space] is any set of possible targets: a [Box] of any dimension, or a [Region] of
//     the plane.
//   - [Field] is the outline of a field, with keep-outs. [ReadField] and [WriteField]
//     convert it from and to GeoJSON; an [earth.Datum] converts longitude and latitude to
//     metres.
//   - [Region] is the part of a field that keeps a margin from every edge.
//     [Region.Path] is the shortest path inside it. A [DistanceField] answers many
//     queries from one start. A [Raster] has the region as cells, for others to plan in.
//
// A point of the plane is an [orb.Point]. Where the dimension is free, as in [Space], a
// point is a []float64. Coordinates and distances are metres, x points east and y north.
package field
