// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ddsnames"
)

// ROS 2's DDS middlewares call services in two forms.
//
// rmw_fastrtps sends the body unchanged. The identity of the sample, which is the related
// identity of the reply, identifies the request.
//
// rmw_cyclonedds inserts 16 bytes between encapsulation and body: the numbers of the client
// and of the request. They keep the alignment of the body.
const (
	formFast uint8 = iota
	formCycloneLittle
	formCycloneBig
)

// identitySize is the length of rmw_cyclonedds' identity, headerSize that of the
// encapsulation, bytes.
const (
	headerSize   = 4
	identitySize = 16
)

// cycloneForm returns the form of a message from Cyclone DDS by its byte order.
func cycloneForm(cdr []byte) uint8 {
	if cdr[1]&1 == 0 {
		return formCycloneBig
	}
	return formCycloneLittle
}

// appendCyclone appends cdr with the identity of client and sequence to dst. The bytes of
// the client's number are those in a message of the given form; they are reversed if cdr has
// the other byte order.
func appendCyclone(dst, cdr []byte, client [8]byte, sequence int64, form uint8) []byte {
	own := cycloneForm(cdr)
	if own != form {
		slices.Reverse(client[:])
	}
	dst = append(dst, cdr[:headerSize]...)
	dst = append(dst, client[:]...)
	if own == formCycloneBig {
		dst = binary.BigEndian.AppendUint64(dst, uint64(sequence))
	} else {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(sequence))
	}
	return append(dst, cdr[headerSize:]...)
}

// cutCyclone removes the identity from data in place and returns the rest. ok is false if
// data has no identity.
func cutCyclone(data []byte) (cdr []byte, client [8]byte, sequence int64, form uint8, ok bool) {
	if len(data) < headerSize+identitySize {
		return nil, client, 0, 0, false
	}
	form = cycloneForm(data)
	client = [8]byte(data[headerSize:])
	number := data[headerSize+8:]
	if form == formCycloneBig {
		sequence = int64(binary.BigEndian.Uint64(number))
	} else {
		sequence = int64(binary.LittleEndian.Uint64(number))
	}
	copy(data[identitySize:], data[:headerSize])
	return data[identitySize:], client, sequence, form, true
}

// services counts the service endpoints of this process.
var services atomic.Uint32

// serviceID returns the value by which rmw_cyclonedds recognises two DDS endpoints as one
// end of a service: 16 hexadecimal bytes with dots.
func (t *Transport) serviceID() string {
	id := t.guid
	binary.BigEndian.PutUint32(id[12:], services.Add(1))
	text := fmt.Appendf(nil, "%x", id[0])
	for _, b := range id[1:] {
		text = fmt.Appendf(text, ".%x", b)
	}
	return string(text)
}

// servicePorts returns the two DDS endpoints of one end of a service, for requests and for
// replies. They are not open yet. id is "serviceid" or "clientid".
func (x *end) servicePorts(id string) (requests, replies *port, err error) {
	t, e, server := x.t, x.Own.Endpoint, x.Own.Kind == ros.ServerEnd
	request, err := ddsnames.Type(e.Type + "_Request")
	reply, err2 := ddsnames.Type(e.Type + "_Response")
	id += "=" + t.serviceID() + ";"
	return &port{t: t, node: e.Node, name: e.Name, topic: ddsnames.Request(e.Name), typ: request, writer: !server, userData: id + serviceHashes(e.Type, "_Request")},
		&port{t: t, node: e.Node, name: e.Name, topic: ddsnames.Reply(e.Name), typ: reply, writer: server, userData: id + serviceHashes(e.Type, "_Response")},
		errors.Join(err, err2)
}
