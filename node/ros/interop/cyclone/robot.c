// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// A robot for the explorer, on Eclipse Cyclone DDS alone:
//
//	robot drive DOMAIN best_effort|reliable X Y X Y X Y …
//	robot watch DOMAIN X Y X Y X Y …
//
// The points are the outline of the field, m. "drive" is robot, localisation and
// sensor of a mission, which it starts: it publishes odometry and readings and drives
// to the goals that it hears, all with the reliability that was said. "watch" only
// listens, to what the explorer has latched. Both end when the mission is over and
// all that it published has come, with status 0 when the maps are right, and say
// line by line what they saw: see graph.h, start.h, explored.h and maps.h, and
//
//	goal X Y       a goal, another than the one before
//	odometer M     how far the robot has gone
//	sent ODOMETRIES READINGS
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "endpoints.h"
#include "explored.h"
#include "graph.h"
#include "start.h"

static const double speed = 25;                  // m/s
static const dds_time_t period = DDS_MSECS(20);  // between odometries
static const double longest_step = 0.1;          // s
static const double start_x = 6, start_y = 5;    // m
static const int patience = 120;                 // s

// What localisation claims of itself, m² and rad².
static const double var_x = 0.04, cov_xy = 0.01, var_y = 0.09, var_yaw = 0.01;

static const double reading_stddev = 0.01;

// field is the quantity at a place: a hill on a plain.
static double field(double x, double y) {
  double dx = (x - 25) / 10, dy = (y - 12) / 10;
  return 5 + 3 * exp(-(dx * dx + dy * dy) / 2);
}

static dds_entity_t odometries, readings, goals;
static PoseStamped heard;
static bool has_goal;
static double goal_x, goal_y, x, y, yaw, odometer;
static long odometry_count, reading_count;

static void open_robot(bool best_effort) {
  const struct quality q = {.best_effort = best_effort, .depth = 5};
  odometries = writer(&nav_msgs_msg_dds__Odometry__desc, "rt/odometry/filtered", q);
  readings = writer(&ugp_explorer_msg_dds__FieldReading__desc, "rt/reading", q);
  goals = reader(&geometry_msgs_msg_dds__PoseStamped__desc, "rt/goal_pose", q);
  x = start_x, y = start_y;
}

static void take_goals(void) {
  while (take(goals, &heard)) {
    double gx = heard.pose.position.x, gy = heard.pose.position.y;
    if (strcmp(heard.header.frame_id, "map") != 0 || (has_goal && gx == goal_x && gy == goal_y)) continue;
    has_goal = true, goal_x = gx, goal_y = gy;
    printf("goal %.17g %.17g\n", gx, gy);
  }
}

// move drives towards the goal for so many seconds, and returns the speed. A robot
// whose process was held up makes no leap.
static double move(double dt) {
  double dx = goal_x - x, dy = goal_y - y, left = hypot(dx, dy), step = fmin(left, speed * fmin(dt, longest_step));
  if (!has_goal || left == 0) return 0;
  yaw = atan2(dy, dx);
  odometer += step;
  if (step == left)
    x = goal_x, y = goal_y;
  else
    x += step * dx / left, y += step * dy / left;
  return step / dt;
}

static void publish_pose(dds_time_t now, double v) {
  Odometry m = {.header = {stamp(now), "map"}, .child_frame_id = "base_link"};
  m.pose.pose.position.x = x, m.pose.pose.position.y = y;
  m.pose.pose.orientation.z = sin(yaw / 2), m.pose.pose.orientation.w = cos(yaw / 2);
  double *c = m.pose.covariance;
  c[0] = var_x, c[1] = c[6] = cov_xy, c[7] = var_y, c[35] = var_yaw;
  m.twist.twist.linear.x = v;
  must(dds_write(odometries, &m), "odometry");
  odometry_count++;
}

static void publish_reading(dds_time_t now) {
  FieldReading m = {.header = {stamp(now), "base_link"}, .value = field(x, y), .variance = reading_stddev * reading_stddev};
  must(dds_write(readings, &m), "reading");
  reading_count++;
}

static void publish(dds_time_t now, double v) {
  publish_pose(now, v);
  publish_reading(now);
}

// drive is the robot's way through a mission. The explorer refuses to start before
// it has a pose, and is asked again when it may have one.
static void drive(dds_entity_t participant, bool best_effort) {
  open_robot(best_effort);
  explored_open();
  start_open(participant);
  graph_open(participant);
  announce();
  while (!start_there()) rest("the service ~/start");
  start_call();
  while (matched_readers(odometries) == 0 || matched_readers(readings) == 0 || matched_writers(goals) == 0) rest("matches");
  do {
    rest("the start");
    publish(dds_time(), 0);
  } while (!start_call());

  dds_time_t last = dds_time();
  while (!explored_done()) {
    rest("the mission's end");
    explored_take();
    take_goals();
    dds_time_t now = dds_time();
    if (now - last < period) continue;
    publish(now, move((double)(now - last) / DDS_NSECS_IN_SEC));
    last = now;
  }
  // Now, not before: a node announces itself anew with each endpoint that it opens.
  while (!graph_agrees("ugp_explorer")) rest("the explorer's node, and its endpoints");
  graph_print("ugp_explorer");
  printf("odometer %.17g\nsent %ld %ld\n", odometer, odometry_count, reading_count);
  dds_sample_free(&heard, &geometry_msgs_msg_dds__PoseStamped__desc, DDS_FREE_CONTENTS);
  start_free();
  graph_free();
}

static void watch(void) {
  explored_open();
  announce();
  while (!explored_done()) {
    rest("what the explorer has latched");
    explored_take();
  }
}

enum { corners = 16 };

static struct outline parse(int n, char **words, double at[corners][2]) {
  if (n < 6 || n % 2 != 0 || n > 2 * corners) {
    fprintf(stderr, "an outline has from 3 to %d points, x and y each\n", corners);
    exit(1);
  }
  for (int i = 0; i < n; i++) at[i / 2][i % 2] = strtod(words[i], NULL);
  return (struct outline){n / 2, (const double(*)[2])at};
}

int main(int argc, char **argv) {
  const bool drives = argc > 3 && strcmp(argv[1], "drive") == 0;
  if (!drives && !(argc > 3 && strcmp(argv[1], "watch") == 0)) {
    fprintf(stderr, "robot drive DOMAIN best_effort|reliable X Y …, or robot watch DOMAIN X Y …\n");
    return 1;
  }
  double at[corners][2];
  const int skip = drives ? 4 : 3;
  const struct outline outline = parse(argc - skip, argv + skip, at);
  dds_entity_t participant = join(atoi(argv[2]), drives ? "robot" : "watcher", patience);
  if (drives)
    drive(participant, strcmp(argv[3], "best_effort") == 0);
  else
    watch();
  int wrong = explored_print(outline);
  explored_free();
  leave();
  return wrong == 0 ? 0 : 2;
}
