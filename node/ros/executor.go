package ros

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Executor runs the callbacks of its nodes, one at a time, on the goroutine
// that called Run. [Simulated] and [RealTime] are the two there are.
type Executor interface {
	Clock
	// Run runs callbacks until one of these, and returns:
	//   - until, asked before each callback, says true: nil, and Run may be
	//     called again; a nil until never does;
	//   - Stop was called: the error that it was given;
	//   - ctx ended: its cause;
	//   - a callback panicked: a *PanicError.
	// In the last three cases the executor shuts down: the functions given to
	// OnShutdown run, in the reverse order, each once; then callbacks that are
	// due already (the deliveries of what those functions published); then Run
	// waits for the work of Async and returns. Run after that returns
	// ErrShutDown.
	Run(ctx context.Context, until func() bool) error
	// Post has fn run after what is due already. It reports false, and fn will
	// not run, when the queue is full or the executor has shut down.
	Post(fn func()) bool
	// After has fn run once, d from now.
	After(d time.Duration, fn func()) *Timer
	// Every has fn run each period, the first time one period from now. Ticks
	// that were missed are left out, later ones keep the phase. It panics
	// unless period is positive.
	Every(period time.Duration, fn func()) *Timer
	// Async has work run beside the callbacks, and then done, which may be nil,
	// as a callback. work must touch nothing of the nodes. A panic in work ends
	// Run like one in a callback. After the shutdown nothing runs.
	Async(work, done func())
	// OnShutdown has fn run when the executor shuts down. The function that it
	// returns takes fn off again.
	OnShutdown(fn func()) (cancel func())
	// Stop ends Run after the callback that runs now.
	Stop(err error)
	// Close shuts down, as Run does in the end, unless that was done, and
	// returns what panicked. It must not be called from a callback, nor while
	// Run runs.
	Close() error

	deliver(fn func())                // Post for what is bounded elsewhere: not refused before the shutdown
	arm(t *Timer, wait time.Duration) // has t tick, or tick again, after wait
}

// Clock tells the time of an executor, ns since its epoch.
type Clock interface {
	Now() int64
	// OnJump has fn run, as a callback, after the time was set back, or was
	// changed from one source to another. What was due in a while is still due
	// after the same while. The function that OnJump returns takes fn off.
	OnJump(fn func(Jump)) (cancel func())
}

// Jump is a step of the clock that is no passing of time.
type Jump struct{ From, To int64 }

// ErrShutDown is what Run returns when the executor has shut down before.
var ErrShutDown = errors.New("ros: the executor has shut down")

// ErrIdle is what Run of a Simulated executor returns when nothing is due any
// more and until was not met.
var ErrIdle = errors.New("ros: nothing is due any more")

// PanicError is a panic of a callback or of work given to Async.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("ros: a callback panicked: %v\n%s", e.Value, e.Stack)
}

// Unwrap returns the value of the panic when it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// safely runs fn and returns a panic of it as an error.
func safely(fn func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v, debug.Stack()}
		}
	}()
	fn()
	return nil
}

// hooks are functions in an order, each of which can be taken off.
type hooks[F any] struct {
	next int
	list []hook[F]
}

type hook[F any] struct {
	id int
	fn F
}

func (h *hooks[F]) add(fn F) (id int) {
	h.next++
	h.list = append(h.list, hook[F]{h.next, fn})
	return h.next
}

func (h *hooks[F]) remove(id int) {
	for i, e := range h.list {
		if e.id == id {
			h.list = append(h.list[:i:i], h.list[i+1:]...)
			return
		}
	}
}

// shutdownBudget is how many callbacks may still run after the shutdown
// functions: enough for every delivery of a robot's last messages, and an end to
// nodes that answer each other for ever.
const shutdownBudget = 10_000

// shutDown runs the functions, last first, then drains, and returns err joined
// with what panicked on the way.
func shutDown(err error, fns []hook[func()], next func() func()) error {
	var more []error
	note := func(e error) {
		if e != nil {
			more = append(more, e)
		}
	}
	for i := len(fns) - 1; i >= 0; i-- {
		note(safely(fns[i].fn))
	}
	for range shutdownBudget {
		fn := next()
		if fn == nil {
			break
		}
		note(safely(fn))
	}
	if more == nil {
		return err
	}
	return errors.Join(append([]error{err}, more...)...)
}
