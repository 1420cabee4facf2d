// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#cgo CFLAGS: -I/opt/ros/humble/include/rmw -I/opt/ros/humble/include/rcutils
#cgo CFLAGS: -I/opt/ros/humble/include/rosidl_runtime_c -I/opt/ros/humble/include/rosidl_typesupport_interface
#cgo LDFLAGS: -L/opt/ros/humble/lib -Wl,-rpath=/opt/ros/humble/lib -lrmw_implementation -lrmw -lrcutils -ldl

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <rcutils/error_handling.h>
#include <rmw/rmw.h>

static void *get(void *f) { return ((void *(*)(void))f)(); }
static void put(void *f, void *p) { ((void (*)(void *))f)(p); }

static rmw_ret_t decode(const void *type, const uint8_t *cdr, size_t n, void *msg) {
	rmw_serialized_message_t m = rmw_get_zero_initialized_serialized_message();
	m.buffer = (uint8_t *)cdr; // only read
	m.buffer_length = m.buffer_capacity = n;
	return rmw_deserialize(&m, type, msg);
}

// encode returns bytes that the caller frees with release. rmw_fastrtps returns the number
// of bytes that it reserved, which may be more than it wrote, and leaves padding bytes
// unchanged. So encode runs once to find the size, once over ones and once over zeros:
// bytes at the end that kept both values were not written.
static rmw_ret_t encode(const void *type, const void *msg, rmw_serialized_message_t *m) {
	rcutils_allocator_t allocator = rcutils_get_default_allocator();
	*m = rmw_get_zero_initialized_serialized_message();
	rmw_ret_t rc = rcutils_uint8_array_init(m, 0, &allocator);
	if (rc == RMW_RET_OK) {
		rc = rmw_serialize(msg, type, m);
	}
	uint8_t *ones = rc == RMW_RET_OK ? malloc(m->buffer_length) : NULL;
	if (ones == NULL) {
		return rc == RMW_RET_OK ? RMW_RET_BAD_ALLOC : rc;
	}
	memset(m->buffer, 0xff, m->buffer_length);
	rc = rmw_serialize(msg, type, m);
	if (rc == RMW_RET_OK) {
		memcpy(ones, m->buffer, m->buffer_length);
		memset(m->buffer, 0, m->buffer_length);
		rc = rmw_serialize(msg, type, m);
	}
	while (rc == RMW_RET_OK && m->buffer_length > 4 && ones[m->buffer_length - 1] == 0xff && m->buffer[m->buffer_length - 1] == 0) {
		m->buffer_length--;
	}
	free(ones);
	return rc;
}

static void release(rmw_serialized_message_t *m) {
	if (m->allocator.deallocate != NULL && rcutils_uint8_array_fini(m) != RCUTILS_RET_OK) {
		rcutils_reset_error();
	}
}
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// messageType is a message type in rosidl's generated C code. It is loaded by name at its
// first use. For topics rclgo treats its messages as CDR; its methods on C structures are
// for services.
type messageType struct {
	name            string
	handle          unsafe.Pointer // rosidl_message_type_support_t
	create, destroy unsafe.Pointer // functions
}

// serviceType is a service type; see messageType.
type serviceType struct {
	handle            unsafe.Pointer // rosidl_service_type_support_t
	request, response *messageType
}

// loaded are the types in use. They and their libraries stay loaded because rmw keeps
// pointers into them.
var loaded = struct {
	sync.Mutex
	messages map[string]*messageType
	services map[string]*serviceType
}{messages: map[string]*messageType{}, services: map[string]*serviceType{}}

// messageOf returns the type called name, "std_msgs/msg/String".
func messageOf(name string) (*messageType, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if m := loaded.messages[name]; m != nil {
		return m, nil
	}
	m, err := loadMessage(name)
	if err == nil {
		loaded.messages[name] = m
	}
	return m, err
}

// serviceOf returns the type called name, "std_srvs/srv/Trigger".
func serviceOf(name string) (*serviceType, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if s := loaded.services[name]; s != nil {
		return s, nil
	}
	get, err := find(name, "typesupport_c", "rosidl_typesupport_c__get_service_type_support_handle__", "")
	if err != nil {
		return nil, err
	}
	s := &serviceType{handle: C.get(get)}
	if s.request, err = loadMessage(name + "_Request"); err != nil {
		return nil, err
	}
	if s.response, err = loadMessage(name + "_Response"); err != nil {
		return nil, err
	}
	loaded.services[name] = s
	return s, nil
}

func loadMessage(name string) (*messageType, error) {
	get, err := find(name, "typesupport_c", "rosidl_typesupport_c__get_message_type_support_handle__", "")
	if err != nil {
		return nil, err
	}
	m := &messageType{name: name, handle: C.get(get)}
	if m.create, err = find(name, "generator_c", "", "__create"); err != nil {
		return nil, err
	}
	m.destroy, err = find(name, "generator_c", "", "__destroy")
	return m, err
}

// find returns a function that rosidl generated for a type. Its name is the type's C name
// with a prefix and a suffix; it is in the corresponding library of the type's package.
func find(name, code, before, after string) (unsafe.Pointer, error) {
	part := strings.Split(name, "/")
	if len(part) != 3 || part[0] == "" || part[1] == "" || part[2] == "" {
		return nil, fmt.Errorf("ros/rclgo: the type %q is not of the form package/msg/Type", name)
	}
	file, symbol := C.CString("lib"+part[0]+"__rosidl_"+code+".so"), C.CString(before+strings.Join(part, "__")+after)
	defer C.free(unsafe.Pointer(file))
	defer C.free(unsafe.Pointer(symbol))
	runtime.LockOSThread() // dlerror is per thread
	defer runtime.UnlockOSThread()
	lib := C.dlopen(file, C.RTLD_LAZY)
	if lib == nil {
		return nil, fmt.Errorf("ros/rclgo: the type %s needs the package %s to be built and sourced: %s", name, part[0], C.GoString(C.dlerror()))
	}
	f := C.dlsym(lib, symbol)
	if f == nil {
		return nil, fmt.Errorf("ros/rclgo: the sourced package %s has no type %s (no %s)", part[0], name, C.GoString(symbol))
	}
	return f, nil
}

// decode returns a C structure with the content of cdr. The caller must destroy it.
func (m *messageType) decode(cdr []byte) (unsafe.Pointer, error) {
	if len(cdr) < 4 {
		return nil, fmt.Errorf("ros/rclgo: %d bytes are not a %s", len(cdr), m.name)
	}
	msg := C.get(m.create)
	if msg == nil {
		return nil, errors.New("ros/rclgo: out of memory")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if rc := C.decode(m.handle, (*C.uint8_t)(&cdr[0]), C.size_t(len(cdr)), msg); rc != C.RMW_RET_OK {
		C.put(m.destroy, msg)
		return nil, fmt.Errorf("ros/rclgo: %d bytes are not a %s: %s", len(cdr), m.name, lastError())
	}
	return msg, nil
}

// encode returns the CDR of a C structure.
func (m *messageType) encode(msg unsafe.Pointer) ([]byte, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var out C.rmw_serialized_message_t
	defer C.release(&out)
	if rc := C.encode(m.handle, msg, &out); rc != C.RMW_RET_OK {
		return nil, fmt.Errorf("ros/rclgo: a %s cannot be encoded: %s", m.name, lastError())
	}
	return C.GoBytes(unsafe.Pointer(out.buffer), C.int(out.buffer_length)), nil
}

// lastError returns and clears ROS's error on this thread.
func lastError() string {
	text := C.rcutils_get_error_string()
	C.rcutils_reset_error()
	return C.GoString(&text.str[0])
}

// body is the Go form of a message in rclgo's services.
type body struct {
	cdr []byte
	err error
}

func (b *body) CloneMsg() types.Message                  { c := *b; return &c }
func (b *body) SetDefaults()                             {}
func (b *body) GetTypeSupport() types.MessageTypeSupport { return nil }

var (
	_ types.Message            = (*body)(nil)
	_ types.MessageTypeSupport = (*messageType)(nil)
	_ types.MessageTypeSupport = (*outgoing)(nil)
)

// TypeSupport and the methods below implement rclgo's interface of a type: memory for a
// structure that rcl fills, and its conversion to Go.
func (m *messageType) TypeSupport() unsafe.Pointer    { return m.handle }
func (m *messageType) New() types.Message             { return new(body) }
func (m *messageType) PrepareMemory() unsafe.Pointer  { return C.get(m.create) }
func (m *messageType) ReleaseMemory(p unsafe.Pointer) { C.put(m.destroy, p) }
func (m *messageType) AsCStruct(unsafe.Pointer, types.Message) {
	panic("ros/rclgo: CDR goes out by outgoing")
}

func (m *messageType) AsGoStruct(dst types.Message, src unsafe.Pointer) {
	b := dst.(*body)
	b.cdr, b.err = m.encode(src)
}

// outgoing is a type whose messages are decoded before rclgo sends them, while an error can
// still be returned. Only one message is in flight at a time.
type outgoing struct {
	*messageType
	next unsafe.Pointer // returned by PrepareMemory
	sent chan struct{}  // closed when rcl has used it
}

func (o *outgoing) PrepareMemory() unsafe.Pointer           { return o.next }
func (o *outgoing) AsCStruct(unsafe.Pointer, types.Message) {}

func (o *outgoing) ReleaseMemory(p unsafe.Pointer) {
	o.messageType.ReleaseMemory(p)
	o.next = nil
	close(o.sent)
}

// hand decodes cdr for the next call of rclgo.
func (o *outgoing) hand(cdr []byte) (sent <-chan struct{}, err error) {
	if o.next, err = o.decode(cdr); err != nil {
		return nil, err
	}
	o.sent = make(chan struct{})
	return o.sent, nil
}

// serviceEnd is a service type for one end of a service.
type serviceEnd struct {
	*serviceType
	request, response types.MessageTypeSupport
}

var _ types.ServiceTypeSupport = serviceEnd{}

func (s serviceEnd) Request() types.MessageTypeSupport  { return s.request }
func (s serviceEnd) Response() types.MessageTypeSupport { return s.response }
func (s serviceEnd) TypeSupport() unsafe.Pointer        { return s.handle }
