// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package web serves the page on which a person in the field follows a mission and commands
// it. Everything that the page needs is embedded.
//
// A [Server] asks its [Explorer] for a [Snapshot] while somebody looks, and never touches the mission itself: questions and commands are
// posted to the mission's executor, and snapshots are not changed after they were handed over. The cost of a client is bounded: a slow
// client gets the newest state later, and one that reads nothing is disconnected.
//
// # Requests
//
//	GET  /, /app/…          the page; needs no token
//	POST /api/login         {"token": "…"} sets a cookie that replaces the token
//	GET  /api/events        Server-Sent Events, see below
//	GET  /api/map/{layer}   mean, stddev, acquisition, truth, secondary, also1 or raster1 and so on, as in package painter
//	GET  /api/photo         the picture below the map, JPEG; scene gives its place
//	GET  /api/at?x=&y=      the model's expected value at a place, now, and why the robot cannot be sent there
//	POST /api/command       {"command": "pause"} or {"command": "goto 12.5 40"}; answers {"done", "text"}
//	POST /api/outline       an Edit of a recorded field; answers {"done", "text"}
//	POST /api/steer         {"forward": 1, "left": 0} drives a simulated robot for half a second while a field is
//	                        recorded; answers {"done", "text"}
//	POST /api/trouble       {"part": "map", "text": "…"} writes to the explorer's log what the page could not draw
//	GET  /api/files         the files of the mission's folder, once the mission is over, with what each is
//	GET  /api/files.zip     all of them, named after the field and the mission's time
//	GET  /files/…           one of them; the report has an address from which its links need no cookie
//
// Reading needs the token unless Config.OpenReading is set; commands and logins always do. A
// program may send it as "Authorization: Bearer TOKEN".
//
// # Events
//
// A client states what it already has, ?id=ID&samples=N&track=N&log=N, where ID comes from hello, and its browser, &browser=NAME. Since the
// tabs of a browser share few connections, the third stream to a browser ends the oldest one. Each event's data are JSON; any of them may
// come first; lengths are metres, angles radians, times seconds of the mission's clock, values in the unit of a reading, which scene names:
// the page undoes a logarithm in it.
//
//	hello    id, whether commands are allowed
//	scene    outline, keep-outs, names, units, budgets: data that seldom change
//	pose     x, y, yaw, covariance, speed, and the age of the pose when it was sent
//	status   state, texts, the available commands, answer, target, best place, battery
//	usage    what is used of the budgets, the distance home, and what is left
//	checks   what the explorer watches, as on /diagnostics
//	plan     the path that is being driven
//	track    more points of the path driven, from index from
//	samples  more samples, from index from
//	log      more lines of the log as sentences, from index from
//	maps     version and layers of the newest maps, with the names and units of other quantities and rasters
//	regret   regret over samples, in simulation
//	recording  state of the recording of a field
//	rings    its closed rings, with the version that an Edit names
//	edge     more points of the ring that is being driven, from index from
//	elsewhere  the stream ends, because the same browser has newer ones
//	beat     once a second: for how long the explorer has not answered
//
// Package painter describes the bytes of a map.
package web
