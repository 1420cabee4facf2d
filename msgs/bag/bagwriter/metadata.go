package bagwriter

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// metadata is the contents of metadata.yaml in Humble's version.
type metadata struct {
	Version           int             `yaml:"version"`
	Storage           string          `yaml:"storage_identifier"`
	Duration          nanoseconds     `yaml:"duration"`
	Start             sinceEpoch      `yaml:"starting_time"`
	Count             int64           `yaml:"message_count"`
	Topics            []metadataTopic `yaml:"topics_with_message_count"`
	CompressionFormat string          `yaml:"compression_format"`
	CompressionMode   string          `yaml:"compression_mode"`
	Paths             []string        `yaml:"relative_file_paths"`
	Files             []metadataFile  `yaml:"files"`
}

type metadataTopic struct {
	Topic struct {
		Name   string `yaml:"name"`
		Type   string `yaml:"type"`
		Format string `yaml:"serialization_format"`
		QoS    string `yaml:"offered_qos_profiles"`
	} `yaml:"topic_metadata"`
	Count int64 `yaml:"message_count"`
}

type metadataFile struct {
	Path     string      `yaml:"path"`
	Start    sinceEpoch  `yaml:"starting_time"`
	Duration nanoseconds `yaml:"duration"`
	Count    int64       `yaml:"message_count"`
}

type nanoseconds struct {
	Value int64 `yaml:"nanoseconds"`
}

type sinceEpoch struct {
	Value int64 `yaml:"nanoseconds_since_epoch"`
}

// write writes metadata.yaml into a folder so that after a power cut it is either whole or absent.
func (m *metadata) write(dir string) error {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(map[string]*metadata{"rosbag2_bagfile_information": m}), e.Close()); err != nil {
		return err
	}
	path := filepath.Join(dir, "metadata.yaml")
	tmp := path + ".part"
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
