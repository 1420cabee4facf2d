// Package inproc is the transport inside one process.
package inproc
