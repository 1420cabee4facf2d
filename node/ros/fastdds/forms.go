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

// The two forms in which ROS 2's DDS middlewares call services.
//
// rmw_fastrtps: the body as it is; who asked is in the identity of the sample,
// and in the related identity of the reply.
//
// rmw_cyclonedds: 16 bytes between encapsulation and body, the client's number
// and that of the request. They keep the alignment of what follows.
const (
	formFast uint8 = iota
	formCycloneLittle
	formCycloneBig
)

// identitySize is the length of rmw_cyclonedds' identity, headerSize that of the
// encapsulation.
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

// appendCyclone appends cdr with an identity, client and sequence, to dst. The
// client's number has the bytes that it has in a message of the given form; they
// are turned when cdr is of the other order.
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

// cutCyclone takes the identity out of data, in place, and returns what is left.
// ok is false when there is none.
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

// services counts the ends of services of this process.
var services atomic.Uint32

// serviceID returns the value by which rmw_cyclonedds knows that two DDS
// endpoints are one end of a service: 16 hexadecimal bytes with dots.
func (t *Transport) serviceID() string {
	id := t.guid
	binary.BigEndian.PutUint32(id[12:], services.Add(1))
	text := fmt.Appendf(nil, "%x", id[0])
	for _, b := range id[1:] {
		text = fmt.Appendf(text, ".%x", b)
	}
	return string(text)
}

// servicePorts returns the two DDS endpoints of one end of a service, not open
// yet: of requests, and of replies.
func (t *Transport) servicePorts(e ros.Endpoint, server bool) (requests, replies *port, err error) {
	request, err := ddsnames.Type(e.Type + "_Request")
	reply, err2 := ddsnames.Type(e.Type + "_Response")
	return &port{t: t, node: e.Node, name: e.Name, topic: ddsnames.Request(e.Name), typ: request, writer: !server},
		&port{t: t, node: e.Node, name: e.Name, topic: ddsnames.Reply(e.Name), typ: reply, writer: server},
		errors.Join(err, err2)
}

// closeAfter closes what could not be opened to the end, because of err.
func closeAfter(err error, c interface{ Close() error }) error { return errors.Join(err, c.Close()) }

// quiet is err, or nil where it only says that the transport is closed.
func quiet(err error) error {
	if errors.Is(err, ros.ErrClosed) {
		return nil
	}
	return err
}
