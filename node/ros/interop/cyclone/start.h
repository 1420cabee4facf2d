// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// A call of /ugp_explorer/start, as rmw_cyclonedds calls services.
#ifndef START_H
#define START_H

#include <stdbool.h>

#include "dds/dds.h"

void start_open(dds_entity_t participant);

// start_there says whether the service is there, as rmw_cyclonedds tells: a reader of
// requests and a writer of replies that say in their user data that they are one.
bool start_there(void);

// start_call calls it, waits for the answer, prints "answer 0|1 TEXT" and returns
// whether the answer was yes.
bool start_call(void);

void start_free(void);

#endif
