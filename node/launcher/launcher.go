// Package launcher runs nodes as processes of their own and ends them as
// ros2 launch does: SIGINT, and for those that do not go, SIGKILL.
package launcher

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// Executable is a node to be run.
type Executable struct {
	Name string   // in errors
	Path string   // of the program
	Args []string // after it
	Env  []string // beside this process's own environment
	Log  io.Writer
}

// Process is a node that runs.
type Process struct {
	name string
	cmd  *exec.Cmd
	tail tail
	done chan struct{} // closed when it has ended
	err  error         // how; for after done
}

// Start starts a program. It ends by itself, by Stop or by Kill.
func Start(e Executable) (*Process, error) {
	p := &Process{name: e.Name, cmd: exec.Command(e.Path, e.Args...), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), e.Env...)
	var log io.Writer = &p.tail
	if e.Log != nil {
		log = io.MultiWriter(e.Log, &p.tail)
	}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", e.Name, err)
	}
	go func() {
		if err := p.cmd.Wait(); err != nil {
			p.err = fmt.Errorf("%s ended: %w%s", p.name, err, p.tail.quoted())
		}
		close(p.done)
	}()
	return p, nil
}

// Name returns the name that Start was given.
func (p *Process) Name() string { return p.name }

// PID returns the process's number in the system.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns how the process ended, with the last that it said; nil while it
// runs, and after an exit with 0.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Kill ends the process at once, as a crash would, and waits until it has ended.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.done
}

// Stop interrupts processes and waits until they have ended. Those that have not
// after patience are killed. The error says which these were, and which of the
// others did not end with 0.
func Stop(patience time.Duration, processes ...*Process) error {
	for _, p := range processes {
		_ = p.cmd.Process.Signal(os.Interrupt) // it may have ended by itself
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	late := false
	var errs []error
	for _, p := range processes {
		if !late {
			select {
			case <-p.done:
			case <-timeout.C:
				late = true
			}
		}
		select {
		case <-p.done:
			errs = append(errs, p.err)
		default:
			p.Kill()
			errs = append(errs, fmt.Errorf("%s did not end within %v of being interrupted and was killed%s", p.name, patience, p.tail.quoted()))
		}
	}
	return errors.Join(errs...)
}

// tailLines is how many lines of what a process said an error quotes.
const tailLines = 5

// tail keeps the last lines that were written.
type tail struct {
	mu    sync.Mutex
	lines []string
	open  []byte // the line that has not ended
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = append(t.open, b...)
	for {
		i := bytes.IndexByte(t.open, '\n')
		if i < 0 {
			return len(b), nil
		}
		t.lines = append(t.lines, string(t.open[:i]))
		t.lines = slices.Delete(t.lines, 0, max(0, len(t.lines)-tailLines))
		t.open = append(t.open[:0], t.open[i+1:]...)
	}
}

// quoted returns what was kept for the end of an error.
func (t *tail) quoted() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	if len(t.open) > 0 {
		lines = append(slices.Clone(lines), string(t.open))
	}
	if len(lines) == 0 {
		return ", without a word"
	}
	return "; the last that it said:\n  " + strings.Join(lines, "\n  ")
}
