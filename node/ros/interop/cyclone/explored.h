// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// What the explorer publishes, as somebody hears it who listens.
#ifndef EXPLORED_H
#define EXPLORED_H

#include "maps.h"

// explored_open subscribes to ~/status, ~/observation, ~/mean and ~/cloud of
// /ugp_explorer, all of them latched.
void explored_open(void);

// explored_take takes what has come, and prints
//
//	status STATE SAMPLES                            whenever the state is another
//	observation SEQUENCE STAMP X Y XX XY YY VALUE VARIANCE TARGET_X TARGET_Y
void explored_take(void);

// explored_done says whether the mission is over, and all of it has come: each
// observation, and the maps that know the last one.
bool explored_done(void);

// explored_print prints the last status and the maps that were checked:
//
//	best X Y VALUE STDDEV
//	model SIGNAL_VARIANCE LENGTH_SCALE NOISE_VARIANCE MEAN
//	received STATUSES OBSERVATIONS MEANS CLOUDS
//
// and the lines of maps_check, whose number it returns.
int explored_print(struct outline outline);

void explored_free(void);

#endif
