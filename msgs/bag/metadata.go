// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"os"

	"go.yaml.in/yaml/v3"
)

const metadataName = "metadata.yaml"

// readMetadata returns how many messages a metadata.yaml of any version counts, -1 with an error, and the names of its files. The rest of it stands in the files, too.
func readMetadata(path string) (count int64, files []string, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return -1, nil, err
	}
	var c struct {
		Bag *struct {
			Count int64    `yaml:"message_count"`
			Files []string `yaml:"relative_file_paths"`
		} `yaml:"rosbag2_bagfile_information"`
	}
	if err := yaml.Unmarshal(b, &c); err != nil {
		return -1, nil, err
	}
	if c.Bag == nil {
		return -1, nil, errors.New("no rosbag2_bagfile_information")
	}
	return c.Bag.Count, c.Bag.Files, nil
}
