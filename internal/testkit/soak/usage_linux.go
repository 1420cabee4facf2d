// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package soak

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticks is the unit of processor time in /proc, per second: USER_HZ, which is 100 on all
// architectures of Linux that Go supports.
const ticks = 100

// UsageOf returns what a process uses now.
func UsageOf(pid int) (u Usage, err error) {
	folder := fmt.Sprintf("/proc/%d/", pid)
	files, err := os.ReadDir(folder + "fd")
	if err != nil {
		return u, err
	}
	u.Files = len(files)
	status, err := os.ReadFile(folder + "status")
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 64)
		switch name {
		case "VmRSS":
			u.Resident = n * 1024 / 1e6
		case "Threads":
			u.Threads = int(n)
		}
	}
	stat, err := os.ReadFile(folder + "stat")
	if err != nil {
		return u, err
	}
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:]) // from the third field of proc(5)
	if len(fields) < 13 {
		return u, fmt.Errorf("%sstat has %d fields", folder, len(fields))
	}
	for _, field := range fields[11:13] { // utime, stime
		n, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return u, err
		}
		u.CPU += n / ticks
	}
	return u, nil
}
