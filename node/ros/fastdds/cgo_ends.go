// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

/*
#include <stdlib.h>
#include "shim/shim.h"
*/
import "C"

import (
	"unsafe"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

type (
	cWriter = C.fd_writer
	cReader = C.fd_reader
)

func (s *strs) qos(q ros.QoS, userData string) C.fd_qos {
	c := C.fd_qos{
		best_effort: flag(q.BestEffort), transient_local: flag(q.TransientLocal),
		depth: C.int(q.Depth), lifespan_ns: C.int64_t(q.Lifespan),
	}
	if userData != "" {
		c.user_data = s.c(userData)
	}
	return c
}

func (p *participant) newWriter(id uint64, topic, typ string, q ros.QoS, userData string) (*cWriter, ros.GUID, error) {
	var s strs
	defer s.free()
	var guid ros.GUID
	var why text
	c := s.qos(q, userData)
	w := C.fd_writer_new(p.p, C.uint64_t(id), s.c(topic), s.c(typ), &c, (*C.uint8_t)(&guid[0]), &why[0], C.size_t(len(why)))
	if w == nil {
		return nil, guid, why.err()
	}
	return w, guid, nil
}

func (p *participant) newReader(id uint64, topic, typ string, q ros.QoS, userData string) (*cReader, ros.GUID, error) {
	var s strs
	defer s.free()
	var guid ros.GUID
	var why text
	c := s.qos(q, userData)
	r := C.fd_reader_new(p.p, C.uint64_t(id), s.c(topic), s.c(typ), &c, (*C.uint8_t)(&guid[0]), &why[0], C.size_t(len(why)))
	if r == nil {
		return nil, guid, why.err()
	}
	return r, guid, nil
}

func deleteWriter(w *cWriter) error { return returned("deleting a writer", C.fd_writer_delete(w)) }
func deleteReader(r *cReader) error { return returned("deleting a reader", C.fd_reader_delete(r)) }

// write sends data and returns its sequence number. stamp < 0 means now. related may be nil;
// its sequence number may be unknown (0).
func write(w *cWriter, data []byte, stamp int64, related *ros.GUID, sequence int64) (int64, error) {
	n := int64(C.fd_write(w, unsafe.Pointer(unsafe.SliceData(data)), C.size_t(len(data)), C.int64_t(stamp),
		(*C.uint8_t)(unsafe.Pointer(related)), C.int64_t(sequence)))
	if n < 0 {
		return 0, errRefused
	}
	return n, nil
}

// sample is a sample taken from a reader. data is in C memory, on loan.
type sample struct {
	data             []byte
	source, sequence int64
	writer           ros.GUID
	related          ros.GUID // the zero GUID if there is none
	relatedSequence  int64
	loan             *loan // nil once somebody else returns it
}

// loan is the memory of a sample. It outlives its reader.
type loan C.fd_sample

var _ ends.Loan = (*loan)(nil)

// Return implements ends.Loan.
func (l *loan) Return() { C.fd_give_back((*C.fd_sample)(l)) }

// take takes the oldest sample of r into s.
func take(r *cReader, first bool, s *sample) bool {
	c := C.fd_take(r, flag(first))
	if c == nil {
		return false
	}
	*s = sample{
		data:   unsafe.Slice((*byte)(unsafe.Pointer(c.data)), int(c.len)),
		source: int64(c.source_ns), sequence: int64(c.sequence), relatedSequence: int64(c.related_sequence),
		writer: *(*ros.GUID)(unsafe.Pointer(&c.writer)),
		loan:   (*loan)(c),
	}
	if c.has_related != 0 {
		s.related = *(*ros.GUID)(unsafe.Pointer(&c.related))
	}
	return true
}

// again makes the pump read r again.
func again(r *cReader) { C.fd_reader_again(r) }
