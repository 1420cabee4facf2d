// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

/*
#include <stdlib.h>
#include <sys/eventfd.h>
#include "shim/shim.h"
*/
import "C"

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	"ugp_explorer/node/ros"
	_ "ugp_explorer/node/ros/fastdds/shim"
	"ugp_explorer/node/ros/sockets"
)

// LibraryVersion returns the version of Fast DDS whose headers were compiled.
func LibraryVersion() string { return C.GoString(C.fd_version()) }

// lookup returns an IPv4 address of a host, "" if there is none. The system's resolver also knows names that Go's does not, such as robot.local.
func lookup(host string) string {
	var s strs
	defer s.free()
	var address [len("255.255.255.255") + 1]C.char
	C.fd_lookup(s.c(host), &address[0], C.size_t(len(address)))
	return C.GoString(&address[0])
}

// errRefused is the error of a sample that the library does not accept.
var errRefused = errors.New("the library refuses it")

// participant is the C participant and the memory for its events.
type participant struct {
	p             *C.fd_participant
	event         *C.fd_event
	pump, sleeper bell // one of them is rung when events wait, see sleep
}

// bell is an eventfd for which one goroutine waits.
type bell struct {
	fd   C.int
	file *os.File
	conn syscall.RawConn
}

func newBell() (b bell, err error) {
	if b.fd, err = C.eventfd(0, C.EFD_NONBLOCK|C.EFD_CLOEXEC); b.fd < 0 {
		return b, fmt.Errorf("eventfd: %w", err)
	}
	b.file = os.NewFile(uintptr(b.fd), "fastdds events")
	b.conn, err = b.file.SyscallConn()
	return b, err
}

// wait calls f now and whenever the bell was rung, until f returns true. It returns an error
// if the bell is closed. Go's runtime waits for edges, and each ring is one: nothing needs to
// read the eventfd.
func (b *bell) wait(f func(uintptr) (done bool)) error { return b.conn.Read(f) }

// ring wakes who waits.
func (b *bell) ring() { _, _ = b.file.Write(one) } // fails once it is closed

var one = binary.NativeEndian.AppendUint64(nil, 1)

// text is a buffer for error messages from C.
type text [4096]C.char

func (t *text) err() error { return errors.New(C.GoString(&t[0])) }

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// strs keeps C strings until free.
type strs []unsafe.Pointer

func (s *strs) c(v string) *C.char {
	c := C.CString(v)
	*s = append(*s, unsafe.Pointer(c))
	return c
}

func (s *strs) free() {
	for _, p := range *s {
		C.free(p)
	}
}

// firstPortOf returns the index of the participant whose port is tried first. With Off it
// is one that no announcement to a host reaches.
func firstPortOf(r Range) C.uint32_t {
	if r == offRange {
		return 100
	}
	return 0
}

// newParticipant creates the participant; the arguments translate Config into the library's
// terms.
func newParticipant(cfg *Config, peers string, secure []property) (*participant, ros.GUID, error) {
	var guid ros.GUID
	p := &participant{}
	var err error
	if p.pump, err = newBell(); err != nil {
		return nil, guid, err
	}
	if p.sleeper, err = newBell(); err != nil {
		return nil, guid, errors.Join(err, p.pump.file.Close())
	}
	var s strs
	defer s.free()
	loopback := cfg.Range == Loopback
	c := C.fd_config{
		domain: C.int(cfg.Domain), enclave: s.c(cfg.Enclave), profiles: s.c(cfg.Profiles), peers: s.c(peers),
		shared_memory: flag(cfg.SharedMemory), loopback: flag(loopback), no_multicast: flag(cfg.Range == localhostRange || cfg.Range == offRange),
		first_port_of: firstPortOf(cfg.Range), peer_range: peerRange, socket_buffer: sockets.Wanted, lease_ns: C.int64_t(cfg.Lease),
	}
	if len(secure) > 0 {
		// A Go pointer to Go pointers must not be given to C, so the list is in C's memory.
		c.security, c.security_count = (*C.fd_property)(C.calloc(C.size_t(len(secure)), C.sizeof_fd_property)), C.size_t(len(secure))
		s = append(s, unsafe.Pointer(c.security))
		to := unsafe.Slice(c.security, len(secure))
		for i, p := range secure {
			to[i] = C.fd_property{name: s.c(p.name), value: s.c(p.value)}
		}
	}
	var why text
	fds := [2]C.int{p.pump.fd, p.sleeper.fd}
	if p.p = C.fd_participant_new(&c, &fds[0], (*C.uint8_t)(&guid[0]), &why[0], C.size_t(len(why))); p.p == nil {
		return nil, guid, errors.Join(why.err(), p.close())
	}
	p.event = (*C.fd_event)(C.calloc(1, C.sizeof_fd_event))
	return p, guid, nil
}

// mute ends the events. It returns when nobody waits for a bell any more.
func (p *participant) mute() error {
	C.fd_participant_mute(p.p)
	return p.close()
}

func (p *participant) close() error { return errors.Join(p.pump.file.Close(), p.sleeper.file.Close()) }

// sleep makes the next event ring the bell of the sleeper instead of the pump's, unless events
// wait already or asleep is false. It reports which one.
func (p *participant) sleep(asleep bool) bool { return C.fd_sleep(p.p, flag(asleep)) == 1 }

// delete deletes the participant. p, its writers and its readers must not be used any more.
func (p *participant) delete() error {
	C.free(unsafe.Pointer(p.event))
	return returned("deleting the participant", C.fd_participant_delete(p.p))
}

func returned(what string, code C.int) error {
	if code != 0 {
		return fmt.Errorf("ros/fastdds: %s: the library returns %d", what, int(code))
	}
	return nil
}

// event is an event of the participant, see shim.h.
type event struct {
	kind, change, policy int
	vendor, secured      int // see shim.h
	id                   uint64
	guid                 ros.GUID
	writer               bool
	topic, typ, userData string
	qos                  ros.QoS
}

const (
	evData        = C.FD_DATA
	evMatched     = C.FD_MATCHED
	evIncomp      = C.FD_INCOMPATIBLE
	evEndpoint    = C.FD_ENDPOINT
	evGone        = C.FD_PARTICIPANT_GONE
	evParticipant = C.FD_PARTICIPANT
	evAccepted    = C.FD_ACCEPTED
	evRefused     = C.FD_REFUSED
	evSaid        = C.FD_SECURITY_LOG
	evDropped     = C.FD_DROPPED
)

// next gets the next event and returns how many are left, a negative number if there was none.
// Transport.handling is held.
func (p *participant) next(e *event) (left int) {
	c := p.event
	if left = int(C.fd_next_event(p.p, c)); left < 0 {
		return left
	}
	e.kind, e.change, e.policy, e.id = int(c.kind), int(c.change), int(c.policy), uint64(c.id)
	e.guid = *(*ros.GUID)(unsafe.Pointer(&c.guid))
	switch e.kind {
	case evEndpoint, evParticipant, evSaid, evDropped:
	default:
		return left
	}
	e.vendor, e.secured, e.writer = int(c.vendor), int(c.secured), c.is_writer != 0
	e.topic, e.typ = C.GoString(c.topic), C.GoString(c._type)
	e.userData = C.GoStringN(c.user_data, C.int(c.user_data_len))
	e.qos = ros.QoS{BestEffort: c.best_effort != 0, TransientLocal: c.transient_local != 0, Lifespan: time.Duration(c.lifespan_ns)}
	return left
}
