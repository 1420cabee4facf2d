package main

import (
	"os"

	"ugp_explorer/node/report"
	"ugp_explorer/node/report/outside"
)

// drawCommand draws a report for an explorer, which sends what the record does not have.
type drawCommand struct {
	Folder string `arg:"" type:"path"`
}

// Run draws the report into the mission's folder.
func (c drawCommand) Run(terminal) error {
	m, maps, tracks, err := outside.Read(c.Folder, os.Stdin)
	if err != nil {
		return badInput{err}
	}
	return report.Write(c.Folder, m, maps, tracks)
}
