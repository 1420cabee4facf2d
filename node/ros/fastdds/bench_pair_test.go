//go:build fastdds

package fastdds_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/node/ros/fastdds"
)

// pair is two processes, in a domain of their own, that exchange messages and say
// how long that takes.
type pair struct {
	b    *testing.B
	in   io.Writer
	out  *bufio.Scanner
	ends []*benchEnd
}

type benchEnd struct {
	role string
	cmd  *exec.Cmd
	in   io.Closer
	errs bytes.Buffer
}

// start starts one end; pinned, on a processor of its own.
func (p *pair) start(role string, pinned bool, env []string, command ...string) *bufio.Scanner {
	p.b.Helper()
	if pinned {
		command = append([]string{"taskset", "-c", strconv.Itoa(len(p.ends))}, command...)
	}
	e := &benchEnd{role: role, cmd: exec.Command(command[0], command[1:]...)}
	e.cmd.Env, e.cmd.Stderr = append(os.Environ(), env...), &e.errs
	in, err := e.cmd.StdinPipe()
	must(p.b, err)
	out, err := e.cmd.StdoutPipe()
	must(p.b, err)
	must(p.b, e.cmd.Start())
	p.in, e.in, p.ends = in, in, append(p.ends, e)
	return bufio.NewScanner(out)
}

// ready waits until the two have found each other.
func (p *pair) ready() *pair {
	p.b.Helper()
	if got := p.line(); got != "matched" {
		p.b.Fatalf("%q instead of matched%s", got, p.said())
	}
	return p
}

// goPair starts the ends that are nodes.
func goPair(b *testing.B, pinned bool) *pair {
	b.Helper()
	return goPairIn(b, domain(), pinned)
}

// goPairIn is goPair in a domain, with more variables in the environment.
func goPairIn(b *testing.B, domain int, pinned bool, env ...string) *pair {
	b.Helper()
	p := &pair{b: b}
	for _, role := range []string{"pong", "ping"} {
		p.out = p.start(role, pinned, append(env, fmt.Sprintf("%s=%s %d", benchPeerOf, role, domain)), os.Args[0])
	}
	return p.ready()
}

// cppPair starts the ends in C++; answering is the role of the first, pong or
// handing. Each kind has a domain of its own.
func cppPair(b *testing.B, pinned bool, program, answering string) *pair {
	b.Helper()
	p := &pair{b: b}
	other := domain() + 100
	if answering == "handing" {
		other = domain()%100 + 101
	}
	for _, role := range []string{answering, "ping"} {
		p.out = p.start(role, pinned, nil, program, role, strconv.Itoa(other), strconv.Itoa(fastdds.DefaultConfig().SocketBuffer))
	}
	return p.ready()
}

// compile makes the program of cppPair, against the library that this test has.
func compile(b *testing.B) (program string) {
	b.Helper()
	dir := b.TempDir()
	program = filepath.Join(dir, "peer")
	library, compiler := "-lfastrtps", "c++"
	if strings.HasPrefix(fastdds.LibraryVersion(), "3.") {
		library = "-lfastdds"
	}
	if v := os.Getenv("CXX"); v != "" {
		compiler = v
	}
	args := slices.Concat([]string{"-std=c++17", "-O2", "-I."}, strings.Fields(os.Getenv("CGO_CXXFLAGS")),
		[]string{"testdata/cpp/peer.cpp", "-o", program}, strings.Fields(os.Getenv("CGO_LDFLAGS")), []string{library, "-lfastcdr"})
	if text, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", compiler, err, text)
	}
	return program
}

func (p *pair) said() (text string) {
	for _, e := range p.ends {
		text += "; " + e.role + " says: " + e.errs.String()
	}
	return text
}

func (p *pair) line() string {
	p.out.Scan()
	return p.out.Text()
}

// ask has the n numbers that answer a command.
func (p *pair) ask(n int, command string, args ...any) []float64 {
	p.b.Helper()
	_, err := fmt.Fprintln(p.in, append([]any{command}, args...)...)
	must(p.b, err)
	list := make([]float64, n)
	for i := range list {
		if list[i], err = strconv.ParseFloat(p.line(), 64); err != nil {
			p.b.Fatalf("the answer to %s: %v%s", command, err, p.said())
		}
	}
	return list
}

// trips has a message of so many bytes go to the other end and back n times and
// returns how long each took, ns. A node sends an Odometry.
func (p *pair) trips(size, n int) []float64 { return p.ask(n, "trip", size, n) }

// stream has n messages of so many bytes go to the other end and returns how long
// they took together, ns.
func (p *pair) stream(size, n int) float64 { return p.ask(1, "stream", size, n)[0] }

// used returns the processor time that both have used, s. They have ended.
func (p *pair) used() (seconds float64) {
	for _, e := range p.ends {
		seconds += (e.cmd.ProcessState.UserTime() + e.cmd.ProcessState.SystemTime()).Seconds()
	}
	return seconds
}

// stop ends both.
func (p *pair) stop() {
	p.b.Helper()
	for _, e := range p.ends {
		must(p.b, e.in.Close())
		if err := e.cmd.Wait(); err != nil {
			p.b.Errorf("%s ends with %v: %s", e.role, err, e.errs.String())
		}
	}
}
