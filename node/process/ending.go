// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruption returns a context that is canceled by SIGINT, by SIGTERM, and by SIGHUP, which a
// program gets when its terminal or its SSH connection is closed. A program that was started by
// nohup ignores SIGHUP.
func Interruption() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// lasting returns the context of a program, the writer of its log, and what ends both. The context is
// canceled by the signals of Interruption, and when nobody can read the log any more, because whoever
// started the program has ended: ros2 launch after kill -9. By default each would end the program at
// once, with the robot driving on.
func lasting(file *os.File) (ctx context.Context, log *backlog, end func()) {
	signal.Ignore(syscall.SIGPIPE) // writes return EPIPE instead
	ctx, stop := Interruption()
	ctx, cancel := context.WithCancel(ctx)
	log = newBacklog(file, cancel)
	return ctx, log, func() { cancel(); stop(); log.end() }
}
