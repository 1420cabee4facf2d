// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The map of a field as the explorer sends it, twice: an occupancy grid, and a
// cloud with the figures.
#ifndef MAPS_H
#define MAPS_H

#include "endpoints.h"

// An outline of a field, m: a simple polygon.
struct outline {
  int n;
  const double (*at)[2];
};

// maps_check holds every cell of a mean against the cloud and the outline, and says
// on stderr what is wrong with the first that is. A cell is unknown, -1, in the grid
// and NaN in the cloud, if and only if its centre is outside; its mean is scaled so
// that the least of all is 0 and the greatest 100, in whole steps; its deviation is
// a number above 0.
//
// It prints one line of the whole, and one for each of some cells:
//
//	map X Y RESOLUTION WIDTH HEIGHT BYTES INSIDE SUM_OF_MEANS SUM_OF_DEVIATIONS WRONG
//	cell I J MEAN DEVIATION
//
// BYTES are those of the cloud's points. It returns the number of wrong cells, -1
// when the messages have no common form.
int maps_check(const OccupancyGrid *grid, const PointCloud2 *cloud, struct outline outline);

#endif
