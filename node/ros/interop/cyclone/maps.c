// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

#include "maps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { float32 = 7, float64 = 8 };  // PointField's datatypes

// stride is between cells that are printed: a prime, so that they are all over the map.
enum { stride = 997 };

// coordinate_error is how far a coordinate of single precision may be off, m.
static const double coordinate_error = 1e-4;

static bool inside(struct outline o, double x, double y) {
  bool in = false;
  for (int i = 0, j = o.n - 1; i < o.n; j = i++) {
    const double *a = o.at[i], *b = o.at[j];
    if ((a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])) in = !in;
  }
  return in;
}

// column is where a field of the cloud's points is.
struct column {
  const uint8_t *first;
  uint32_t step;
  bool single;
};

static bool column(struct column *c, const PointCloud2 *m, const char *name, uint8_t datatype) {
  for (uint32_t i = 0; i < m->fields._length; i++) {
    const sensor_msgs_msg_dds__PointField_ *f = &m->fields._buffer[i];
    uint32_t size = datatype == float32 ? sizeof(float) : sizeof(double);
    if (strcmp(f->name, name) != 0 || f->datatype != datatype || f->count != 1 || f->offset + size > m->point_step) continue;
    *c = (struct column){m->data._buffer + f->offset, m->point_step, datatype == float32};
    return true;
  }
  fprintf(stderr, "the cloud has no column %s of datatype %d\n", name, datatype);
  return false;
}

static double value(struct column c, uint32_t k) {
  const uint8_t *p = c.first + (size_t)k * c.step;
  float f;
  double d;
  if (!c.single) return memcpy(&d, p, sizeof d), d;
  return memcpy(&f, p, sizeof f), f;
}

static bool same_form(const OccupancyGrid *grid, const PointCloud2 *cloud) {
  size_t cells = (size_t)grid->info.width * grid->info.height;
  if (cells > 0 && grid->data._length == cells && cloud->width == grid->info.width && cloud->height == grid->info.height &&
      cloud->row_step == cloud->width * cloud->point_step && cloud->data._length == cells * cloud->point_step && !cloud->is_bigendian)
    return true;
  fprintf(stderr, "a grid of %u x %u has %u cells, a cloud of %u x %u has %u bytes of %u each\n", grid->info.width,
          grid->info.height, grid->data._length, cloud->width, cloud->height, cloud->data._length, cloud->point_step);
  return false;
}

int maps_check(const OccupancyGrid *grid, const PointCloud2 *cloud, struct outline outline) {
  struct column xs, ys, zs, means, stddevs;
  if (!same_form(grid, cloud) || !column(&xs, cloud, "x", float32) || !column(&ys, cloud, "y", float32) ||
      !column(&zs, cloud, "z", float32) || !column(&means, cloud, "mean", float64) || !column(&stddevs, cloud, "stddev", float64))
    return -1;
  const double left = grid->info.origin.position.x, bottom = grid->info.origin.position.y, cell = grid->info.resolution;
  double low = INFINITY, high = -INFINITY, sum_of_means = 0, sum_of_stddevs = 0;
  for (uint32_t k = 0; k < grid->data._length; k++) {
    double mean = value(means, k);
    if (!isnan(mean)) low = fmin(low, mean), high = fmax(high, mean);
  }
  int within = 0, wrong = 0;
  for (uint32_t k = 0; k < grid->data._length; k++) {
    const uint32_t i = k % grid->info.width, j = k / grid->info.width;
    const double x = value(xs, k), y = value(ys, k), mean = value(means, k), stddev = value(stddevs, k);
    const int shade = grid->data._buffer[k];
    const char *why = NULL;
    if (!(fabs(x - (left + (i + 0.5) * cell)) < coordinate_error && fabs(y - (bottom + (j + 0.5) * cell)) < coordinate_error)) {
      why = "it is not where the grid has it";
    } else if (!inside(outline, x, y)) {
      if (shade != -1 || !isnan(mean) || !isnan(stddev)) why = "it is known, but outside";
    } else {
      within++;
      sum_of_means += mean;
      sum_of_stddevs += stddev;
      if (k % stride == 0) printf("cell %u %u %.17g %.17g\n", i, j, mean, stddev);
      if (!isfinite(mean) || value(zs, k) != (float)mean)
        why = "the mean is no number, or is not the height";
      else if (!(fabs(shade - 1 - 97 * (mean - low) / (high - low)) <= 0.5 + 1e-9))
        why = "the grid and the cloud have other means";
      else if (!(stddev > 0 && isfinite(stddev)))
        why = "the deviation is no number above 0";
    }
    if (why && wrong++ == 0)
      fprintf(stderr, "cell (%u, %u) at (%g, %g) m: %s: grid %d, mean %g from %g to %g, deviation %g\n", i, j, x, y, why,
              shade, mean, low, high, stddev);
  }
  printf("map %.17g %.17g %.9g %u %u %u %d %.17g %.17g %d\n", left, bottom, cell, grid->info.width, grid->info.height,
         cloud->data._length, within, sum_of_means, sum_of_stddevs, wrong);
  return wrong;
}
