package bag

import (
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

const metadataName = "metadata.yaml"

// maxMetadata is the largest metadata.yaml that is read, bytes. One for 10 000 files and topics has about 4 MB.
const maxMetadata = 8 << 20

// metadata is what is read of metadata.yaml; every version has it. The rest stands in the files, too.
type metadata struct {
	Count int64    `yaml:"message_count"`
	Paths []string `yaml:"relative_file_paths"`
}

func readMetadata(path string) (*metadata, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxMetadata+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxMetadata {
		return nil, fmt.Errorf("larger than %d bytes", maxMetadata)
	}
	return parseMetadata(b)
}

func parseMetadata(b []byte) (*metadata, error) {
	var c struct {
		Bag *metadata `yaml:"rosbag2_bagfile_information"`
	}
	if err := yaml.Unmarshal(b, &c); err != nil {
		return nil, err
	}
	if c.Bag == nil {
		return nil, errors.New("no rosbag2_bagfile_information")
	}
	return c.Bag, nil
}
