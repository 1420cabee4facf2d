// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

#include "explored.h"

#include <stdio.h>
#include <string.h>

static dds_entity_t statuses, observations, means, clouds;
static MissionStatus status;
static FieldObservation observation;
static OccupancyGrid mean;
static PointCloud2 cloud;
static char state[32];
static unsigned status_count, observation_count, mean_count, cloud_count;

void explored_open(void) {
  const struct quality latched = {.latched = true, .depth = 10}, every = {.latched = true};
  statuses = reader(&ugp_explorer_msg_dds__MissionStatus__desc, "rt/ugp_explorer/status", latched);
  observations = reader(&ugp_explorer_msg_dds__FieldObservation__desc, "rt/ugp_explorer/observation", every);
  means = reader(&nav_msgs_msg_dds__OccupancyGrid__desc, "rt/ugp_explorer/mean", latched);
  clouds = reader(&sensor_msgs_msg_dds__PointCloud2__desc, "rt/ugp_explorer/cloud", latched);
}

void explored_take(void) {
  while (take(statuses, &status)) {
    status_count++;
    if (strcmp(status.state, state) == 0) continue;
    snprintf(state, sizeof state, "%s", status.state);
    printf("status %s %u\n", state, status.samples_taken);
  }
  while (take(observations, &observation)) {
    const FieldObservation *o = &observation;
    const double *covariance = o->belief.covariance;
    observation_count++;
    printf("observation %u %.9f %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", o->sequence, seconds(o->header.stamp),
           o->belief.pose.position.x, o->belief.pose.position.y, covariance[0], covariance[1], covariance[7], o->value, o->variance,
           o->target.x, o->target.y);
  }
  while (take(means, &mean)) mean_count++;
  while (take(clouds, &cloud)) cloud_count++;
}

// A map is published when the model has learnt an observation, and another is made
// only later: the maps that know the last observation are the ones stamped after it.
bool explored_done(void) {
  const double last = seconds(observation.header.stamp);
  return strcmp(state, "done") == 0 && status.samples_taken > 0 && observation_count == status.samples_taken &&
         mean_count > 0 && seconds(mean.header.stamp) > last && cloud_count > 0 && seconds(cloud.header.stamp) > last;
}

int explored_print(struct outline outline) {
  printf("best %.17g %.17g %.17g %.17g\n", status.best_place.x, status.best_place.y, status.best_value, status.best_stddev);
  printf("model %.17g %.17g %.17g %.17g\n", status.signal_variance, status.length_scales._length ? status.length_scales._buffer[0] : 0.0,
         status.noise_variance, status.mean);
  printf("received %u %u %u %u\n", status_count, observation_count, mean_count, cloud_count);
  return maps_check(&mean, &cloud, outline);
}

void explored_free(void) {
  dds_sample_free(&status, &ugp_explorer_msg_dds__MissionStatus__desc, DDS_FREE_CONTENTS);
  dds_sample_free(&observation, &ugp_explorer_msg_dds__FieldObservation__desc, DDS_FREE_CONTENTS);
  dds_sample_free(&mean, &nav_msgs_msg_dds__OccupancyGrid__desc, DDS_FREE_CONTENTS);
  dds_sample_free(&cloud, &sensor_msgs_msg_dds__PointCloud2__desc, DDS_FREE_CONTENTS);
}
