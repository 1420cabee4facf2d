// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// help prints how to start the program, whose file is called program, and the parameters
// of its node, in lines of at most width letters.
func (p Program) help(w io.Writer, program string, width int) {
	paragraph := func(indent, first, text string) {
		for _, line := range Wrap(text, width-len(indent)) {
			fmt.Fprintln(w, first+line)
			first = indent
		}
	}
	paragraph("", "", fmt.Sprintf("%s: the ROS 2 node that %s.", p.Name, p.Summary))
	fmt.Fprintln(w)
	paragraph("       ", "Usage: ", program+" [--help] [--version] [--ros-args [-r FROM:=TO] [-r __node:=NAME] [-r __ns:=/NAMESPACE] [-p NAME:=VALUE] [--params-file FILE] [--log-level LEVEL] ...]")
	for _, text := range []string{
		"It joins the graph selected by ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY and the other variables of ROS 2. It shuts down cleanly on SIGINT (Ctrl-C), " +
			"SIGTERM and SIGHUP (a closed terminal), and when nothing reads its log any more.",
		"Exit code 0: it is done or was asked to end; 1: it failed while running; 2: it could not start, for instance because a parameter is invalid. " +
			"The last line gives the reason.",
		"Its parameters, each with its type, unit, range and default:",
	} {
		fmt.Fprintln(w)
		paragraph("", "", text)
	}
	group := ""
	for _, r := range p.Parameters.Rows() {
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(w, "\n%s:\n", group)
		}
		about := []string{r.Type}
		for _, s := range []string{r.Unit, r.Range} {
			if s != "" {
				about = append(about, s)
			}
		}
		fmt.Fprintf(w, "  %s\n", r.Name)
		paragraph("      ", "      ", strings.Join(about, ", ")+"; default "+r.Default)
		paragraph("      ", "      ", r.Description)
	}
}

// Wrap breaks text into lines of at most width letters, where words allow it.
func Wrap(text string, width int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && utf8.RuneCountInString(lines[n-1]+" "+word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// columns returns the width of the terminal that a program writes to, 80 if it is not known.
func columns(file *os.File) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(file.Fd())); err == nil && n > 0 {
		return n
	}
	return 80
}
