package process

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// help prints how to start the program, whose file is called program, and the parameters
// of its node.
func (p Program) help(w io.Writer, program string) {
	fmt.Fprintf(w, `%s: the ROS 2 node that %s.

Usage: %s [--ros-args [-r FROM:=TO] [-r __node:=NAME] [-r __ns:=/NAMESPACE]
       [-p NAME:=VALUE] [--params-file FILE] [--log-level LEVEL] ...]

It joins the graph that ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY and the other variables
of ROS 2 name. It ends in order with SIGINT (Ctrl-C), SIGTERM and SIGHUP (a closed
terminal), and when nobody can read its log any more.

Exit code 0: it is done or was told to end; 1: it failed while it ran; 2: it could
not start, for instance because a parameter is invalid. The last line says why.

Parameters, with their defaults and ranges:
`, p.Name, p.Summary, program)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, r := range p.Parameters.Rows() {
		about := []string{r.Type}
		for _, s := range []string{r.Unit, r.Range} {
			if s != "" {
				about = append(about, s)
			}
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n\t\t%s\n", r.Name, r.Default, strings.Join(about, ", "), r.Description)
	}
	_ = t.Flush() // an error means that the pipe is closed
}
