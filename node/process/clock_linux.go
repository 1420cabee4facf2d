// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import "syscall"

// unsynchronised is STA_UNSYNC of adjtimex(2).
const unsynchronised = 0x40

// Synchronised reports whether the kernel's clock follows another one (NTP, PTP, a satellite
// receiver). known is false when the kernel does not say.
func Synchronised() (yes, known bool) {
	var t syscall.Timex
	if _, err := syscall.Adjtimex(&t); err != nil {
		return false, false
	}
	return t.Status&unsynchronised == 0, true
}
