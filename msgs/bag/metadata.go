package bag

import (
	"errors"
	"os"

	"go.yaml.in/yaml/v3"
)

const metadataName = "metadata.yaml"

// countedMessages returns how many messages a metadata.yaml counts, of any version; -1 with an error. The rest of it stands in the files, too.
func countedMessages(path string) (int64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return -1, err
	}
	var c struct {
		Bag *struct {
			Count int64 `yaml:"message_count"`
		} `yaml:"rosbag2_bagfile_information"`
	}
	if err := yaml.Unmarshal(b, &c); err != nil {
		return -1, err
	}
	if c.Bag == nil {
		return -1, errors.New("no rosbag2_bagfile_information")
	}
	return c.Bag.Count, nil
}
