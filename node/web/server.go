// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/time/rate"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/painter"
)

// Options connect a Server to its mission.
type Options struct {
	Config
	Explorer Explorer
	// Post queues a function for the mission's executor, from any goroutine, and returns false
	// if it will not run.
	Post func(fn func()) bool
	// Logger takes warnings. It is used on the executor only.
	Logger *slog.Logger
	// Terminal gets the link and the QR code, nil: nothing.
	Terminal io.Writer
	// Wall is the wall clock.
	Wall func() time.Time
}

const (
	// period is the time between two snapshots while somebody looks.
	period = 100 * time.Millisecond
	// beatPeriod is the longest time between two events of a client.
	beatPeriod = time.Second
	// mostClients is how many may follow the mission at once.
	mostClients = 32
	// mostStreams is how many streams go to one browser. It opens at most six connections, of all its tabs
	// together, and the others are for commands.
	mostStreams = 2
	// mostDownloads is how many downloads may be under way.
	mostDownloads = 3
	// mostConnections bounds the open connections, of all and of one address. A browser opens six.
	mostConnections, mostConnectionsEach = 160, 32
	// patience is how long a client may take to read a piece of an answer.
	patience = 10 * time.Second
	// piece is how many bytes of an answer are written at once.
	piece = 16 << 10
	// mostBody bounds what a client may send with a request, bytes.
	mostBody = 4 << 10
	// answerTime is how long a command waits for the explorer.
	answerTime = 5 * time.Second
)

// Server serves the page. Its methods may be called from any goroutine.
type Server struct {
	id       string // of this server: clients may have data from another one
	opts     Options
	access   *access
	listener net.Listener
	http     *http.Server
	log      logRing
	asked    sync.Mutex // one question to the model at a time

	// Of everybody together; what stops the robot is not limited.
	orders, edits, questions, steers, troubles *rate.Limiter
	tokens                                     *guesses

	mu        sync.Mutex
	frame     *frame        // nil before the first snapshot
	changed   chan struct{} // closed when there is a newer frame or line
	followers []*follower   // the oldest first

	wake      chan struct{} // somebody looks
	pending   atomic.Bool   // a snapshot was asked for and is not published
	snapshots chan *Snapshot
	warned    time.Time     // when it was logged that a snapshot cannot be shown; for watch
	busy      chan struct{} // commands that wait for the explorer
	files     chan struct{} // downloads under way
	done      chan struct{}
	workers   sync.WaitGroup
}

// remedy says what to do about an address on which nothing can be served, "" if that is not known.
func remedy(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "; another program uses this port: give another port, or end that program"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "; this machine has no such address: leave out the host, as in :8080, to serve on all of them"
	case errors.Is(err, syscall.EACCES):
		return "; ports below 1024 are reserved: give another port, as in :8080"
	}
	return ""
}

// New opens the address and serves. The error names the parameter.
func New(o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	token, given, err := chooseToken(o.Config)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("web.address is %q: %w%s", o.Address, err, remedy(err))
	}
	o.Token = ""
	s := &Server{
		id: NewToken(), opts: o, access: newAccess(token, o.OpenReading), listener: l,
		orders: rate.NewLimiter(CommandRate, CommandBurst), edits: rate.NewLimiter(CommandRate, CommandBurst), questions: rate.NewLimiter(80, 160), steers: rate.NewLimiter(30, 30), troubles: rate.NewLimiter(0.1, 5), tokens: newGuesses(o.Wall),
		changed: make(chan struct{}), wake: make(chan struct{}, 1), snapshots: make(chan *Snapshot, 1),
		busy: make(chan struct{}, 8), files: make(chan struct{}, mostDownloads), done: make(chan struct{}),
	}
	s.http = &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: patience, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, c)
		},
		ErrorLog: log.New(io.Discard, "", 0), // what hostile clients do is not for the log
	}
	if o.Terminal != nil {
		if !given || isTerminal(o.Terminal) {
			Announce(o.Terminal, l.Addr(), token)
		} else {
			Announce(o.Terminal, l.Addr(), "")
		}
	}
	s.workers.Go(s.watch)
	s.workers.Go(func() { _ = s.http.Serve(&listener{Listener: l, most: mostConnections, mostEach: mostConnectionsEach}) })
	return s, nil
}

// Addr returns the address on which the page is served.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Close disconnects everybody and waits until nothing runs any more.
func (s *Server) Close() error {
	select {
	case <-s.done:
		return nil
	default:
	}
	close(s.done)
	err := s.http.Close()
	s.workers.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// handler returns all routes.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", serveAsset("index.html"))
	mux.HandleFunc("GET /app/{name}", func(w http.ResponseWriter, r *http.Request) { serveAsset(r.PathValue("name"))(w, r) })
	mux.HandleFunc("GET /favicon.ico", serveAsset("icon.svg"))
	mux.HandleFunc("POST /api/login", s.login)
	mux.HandleFunc("GET /api/events", s.reading(s.events))
	mux.HandleFunc("GET /api/map/{layer}", s.reading(s.layer))
	mux.HandleFunc("GET /api/photo", s.reading(s.photo))
	mux.HandleFunc("GET /api/at", s.reading(s.at))
	mux.HandleFunc("GET /api/files", s.inFolder(list))
	mux.HandleFunc("GET /api/files.zip", s.inFolder(s.archive))
	mux.HandleFunc("GET /files/{path...}", s.inFolder(file))
	mux.HandleFunc("GET /files/report.html", s.reading(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/results/"+s.access.files+"/report.html", http.StatusFound)
	}))
	mux.HandleFunc("GET /results/{key}/{path...}", s.linked(s.openFolder(file)))
	mux.HandleFunc("POST /api/command", s.command)
	mux.HandleFunc("POST /api/outline", s.edit)
	mux.HandleFunc("POST /api/steer", s.steer)
	mux.HandleFunc("POST /api/trouble", s.reading(s.trouble))
	return http.HandlerFunc(func(plain http.ResponseWriter, r *http.Request) {
		w := patient{plain}
		protect(w.Header())
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(patience))
		if given, ok := bearer(r); ok {
			if _, looked := s.tried(w, r, given); !looked {
				return
			}
		}
		if known, _ := s.access.may(r); known {
			r.Context().Value(connectionKey{}).(*connection).known.Store(true)
		}
		mux.ServeHTTP(w, r)
	})
}

// tried reports whether a token is right. If there were too many wrong ones it does not look, and
// answers itself.
func (s *Server) tried(w http.ResponseWriter, r *http.Request, given string) (ok, looked bool) {
	ok, looked = s.tokens.try(address(r), func() bool { return s.access.isToken(given) })
	switch {
	case !looked:
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusTooManyRequests, "too many wrong tokens were given: wait some seconds")
	case !ok:
		s.warn("a wrong token was used on the page", "address", address(r))
	}
	return ok, looked
}

// reading passes on the requests of clients that may read.
func (s *Server) reading(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := sameOrigin(r, false, false); err != nil {
			refuse(w, http.StatusForbidden, err.Error())
			return
		}
		if !s.access.mayRead(r) {
			refuse(w, http.StatusUnauthorized, "the token is missing or wrong: open the link that the explorer printed, or type the token")
			return
		}
		next(w, r)
	}
}

// linked passes on requests whose address has the key of the files. A report is a page of another origin, so requests
// for its links have no cookie.
func (s *Server) linked(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.PathValue("key")), []byte(s.access.files)) != 1 {
			refuse(w, http.StatusNotFound, "there is no such file")
			return
		}
		next(w, r)
	}
}

// refuse answers with a reason.
func refuse(w http.ResponseWriter, code int, reason string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	writeJSON(w, map[string]string{"error": reason})
}

// watch asks for snapshots while somebody looks, and publishes them.
func (s *Server) watch() {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		var tick <-chan time.Time
		s.mu.Lock()
		if len(s.followers) > 0 {
			tick = ticker.C
		}
		s.mu.Unlock()
		select {
		case <-s.wake:
			s.ask()
		case <-tick:
			s.ask()
		case snapshot := <-s.snapshots: // encoding is not the executor's work
			s.publish(snapshot)
			s.pending.Store(false)
		case <-s.done:
			return
		}
	}
}

// ask asks for a snapshot, unless one is on its way.
func (s *Server) ask() {
	if s.pending.Swap(true) {
		return
	}
	if !s.opts.Post(func() { s.snapshots <- s.opts.Explorer.Snapshot() }) { // there is room: only one is on its way
		s.pending.Store(false)
	}
}

// publish makes a snapshot the newest.
func (s *Server) publish(snapshot *Snapshot) {
	s.mu.Lock()
	last := s.frame
	s.mu.Unlock()
	next, err := last.next(snapshot, s.opts.Wall())
	if err != nil {
		if now := s.opts.Wall(); now.Sub(s.warned) > time.Minute {
			s.warned = now
			s.warn("the page cannot show the mission's state", "error", err.Error())
		}
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame = next
	close(s.changed) // wakes all clients
	s.changed = make(chan struct{})
}

// newest returns the newest frame, nil if there is none yet, and what is closed when there is a
// newer one.
func (s *Server) newest() (*frame, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frame, s.changed
}

// fresh returns a frame that is not older than a second, which may take some time.
func (s *Server) fresh(ctx context.Context) (*frame, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	for {
		f, changed := s.newest()
		if f != nil && s.opts.Wall().Sub(f.at) < beatPeriod {
			return f, nil
		}
		s.ask()
		select {
		case <-changed:
		case <-time.After(period): // it may have been refused
		case <-ctx.Done():
			return nil, errors.New("the explorer does not answer")
		case <-s.done:
			return nil, errors.New("the explorer has ended")
		}
	}
}

// warn logs on the executor, which owns the logger.
func (s *Server) warn(text string, args ...any) {
	s.opts.Post(func() { s.opts.Logger.Warn(text, args...) })
}

// Log shows a line of the explorer's log as a sentence. It never waits for a client.
func (s *Server) Log(stamp int64, level slog.Level, message string, attrs []slog.Attr) {
	shown := levelOK
	switch {
	case level >= slog.LevelError:
		shown = levelError
	case level >= slog.LevelWarn:
		shown = LevelWarn
	}
	s.log.add(line{Stamp: painter.Round(2, num.Seconds(stamp)), Level: shown, Text: Sentence(message, attrs)})
}
