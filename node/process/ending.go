package process

import (
	"context"
	"errors"
	"io"
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

// lasting returns the context of a program, and the writer of its log. The context is canceled by
// the signals of Interruption, and when nobody reads the log any more, because whoever started the
// program has ended: ros2 launch after kill -9. By default each would end the program at once, with
// the robot driving on.
func lasting(log io.Writer) (context.Context, io.Writer, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE) // writes return EPIPE instead
	ctx, stop := Interruption()
	ctx, cancel := context.WithCancel(ctx)
	return ctx, &heard{log, cancel}, func() { cancel(); stop() }
}

// heard is a writer that notices when nobody reads what it writes.
type heard struct {
	io.Writer
	unheard func()
}

func (h *heard) Write(b []byte) (int, error) {
	n, err := h.Writer.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		h.unheard()
	}
	return n, err
}
