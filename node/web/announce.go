// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
	"golang.org/x/term"
)

// mostLinks is how many addresses of this computer are printed.
const mostLinks = 4

// Announce prints the links of the page at an address and, with a token, a QR code of the
// first. The token is in the part of the link that a browser does not send.
func Announce(w io.Writer, at net.Addr, token string) {
	var b strings.Builder
	b.WriteString("The page of this mission:\n")
	links := links(at)
	for _, link := range links {
		if token != "" {
			link += "#token=" + token
		}
		b.WriteString("  " + link + "\n")
	}
	if token == "" {
		b.WriteString("Commands need the token that was set for the page.\n")
	} else if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsLoopback() { // no phone can open it
		b.WriteString("Only this computer can open it. With an address such as :8080, phones in the same network can open it, too.\n")
	} else if code, err := drawQR(links[0]+"#token="+token, isTerminal(w)); err == nil {
		b.WriteString("Anyone who has this link or this code can command the robot:\n\n" + code)
	}
	_, _ = io.WriteString(w, b.String())
}

// links returns the addresses by which a browser can reach the page, those of the local network
// first.
func links(at net.Addr) (list []string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return []string{"http://" + at.String() + "/"}
	}
	add := func(host string) {
		if len(list) < mostLinks {
			list = append(list, "http://"+net.JoinHostPort(host, fmt.Sprint(tcp.Port))+"/")
		}
	}
	if !tcp.IP.IsUnspecified() {
		if tcp.IP.IsLoopback() {
			add("localhost")
		} else {
			add(tcp.IP.String())
		}
		return list
	}
	addresses, _ := net.InterfaceAddrs()
	for _, private := range []bool{true, false} {
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() && n.IP.IsPrivate() == private {
				add(n.IP.String())
			}
		}
	}
	if len(list) == 0 {
		add("localhost")
	}
	return list
}

// drawQR returns a text as a QR code of half blocks. With colours it is dark on light whatever the
// terminal's own colours are; without, it is right on a dark terminal.
func drawQR(text string, colours bool) (string, error) {
	code, err := qr.Encode(text, qr.L, qr.Auto)
	if err != nil {
		return "", err
	}
	const quiet = 2 // modules about the code; phones manage with less than the four of the standard
	var b strings.Builder
	n := code.Bounds().Dx()
	for y := -quiet; y < n+quiet; y += 2 {
		b.WriteString("  ")
		if colours {
			b.WriteString("\x1b[30;107m") // black on bright white
		}
		for x := -quiet; x < n+quiet; x++ {
			upper, lower := dark(code, x, y), dark(code, x, y+1)
			if !colours {
				upper, lower = !upper, !lower // ink is light there
			}
			b.WriteString(map[[2]bool]string{{true, true}: "█", {true, false}: "▀", {false, true}: "▄", {false, false}: " "}[[2]bool{upper, lower}])
		}
		if colours {
			b.WriteString("\x1b[0m")
		}
		b.WriteString("\n")
	}
	return b.String() + "\n", nil
}

func dark(code barcode.Barcode, x, y int) bool {
	n := code.Bounds().Dx()
	if x < 0 || y < 0 || x >= n || y >= n {
		return false
	}
	r, _, _, _ := code.At(x, y).RGBA()
	return r == 0
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr }) // of an *os.File, or of what writes to one
	return ok && term.IsTerminal(int(f.Fd()))
}
