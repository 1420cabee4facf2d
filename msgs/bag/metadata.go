package bag

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"go.yaml.in/yaml/v3"
)

const metadataName = "metadata.yaml"

// maxMetadata is the largest metadata.yaml that is read, bytes. One for 10 000 files and topics has about 4 MB.
const maxMetadata = 8 << 20

// metadata is the contents of metadata.yaml, versions 1 to 9. Fields that a version lacks are empty. custom_data, from version 6 on, is not read.
type metadata struct {
	Version           int             `yaml:"version"`
	Storage           string          `yaml:"storage_identifier"`
	Duration          nanoseconds     `yaml:"duration"`
	Start             sinceEpoch      `yaml:"starting_time"`
	Count             int64           `yaml:"message_count"`
	Topics            []metadataTopic `yaml:"topics_with_message_count"`
	CompressionFormat string          `yaml:"compression_format"` // from 3
	CompressionMode   string          `yaml:"compression_mode"`   // from 3
	Paths             []string        `yaml:"relative_file_paths"`
	Files             []metadataFile  `yaml:"files"`                // from 5
	Distro            string          `yaml:"ros_distro,omitempty"` // from 8
}

type metadataTopic struct {
	Topic struct {
		Name   string    `yaml:"name"`
		Type   string    `yaml:"type"`
		Format string    `yaml:"serialization_format"`
		QoS    yaml.Node `yaml:"offered_qos_profiles"`            // from 4; before 9 a string
		Hash   *string   `yaml:"type_description_hash,omitempty"` // from 7
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
	Value yamlInt `yaml:"nanoseconds"`
}

type sinceEpoch struct {
	Value yamlInt `yaml:"nanoseconds_since_epoch"`
}

// yamlInt accepts numbers up to 2⁶⁴: rosbag2 writes negative numbers so.
type yamlInt int64

// UnmarshalYAML implements yaml.Unmarshaler.
func (v *yamlInt) UnmarshalYAML(n *yaml.Node) error {
	i, err := strconv.ParseInt(n.Value, 0, 64)
	if errors.Is(err, strconv.ErrRange) {
		var u uint64
		u, err = strconv.ParseUint(n.Value, 0, 64)
		i = int64(u)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	*v = yamlInt(i)
	return nil
}

type metadataFileContents struct {
	Bag *metadata `yaml:"rosbag2_bagfile_information"`
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
	var c metadataFileContents
	if err := yaml.Unmarshal(b, &c); err != nil {
		return nil, err
	}
	if c.Bag == nil {
		return nil, errors.New("no rosbag2_bagfile_information")
	}
	if c.Bag.Version < 1 || c.Bag.Version > 9 {
		return c.Bag, fmt.Errorf("version %d: 1 to 9 are known", c.Bag.Version)
	}
	return c.Bag, nil
}

func (m *metadata) end() int64 {
	if m.Count == 0 {
		return 0
	}
	if m.Duration.Value > math.MaxInt64-max(m.Start.Value, 0) {
		return math.MaxInt64
	}
	return int64(m.Start.Value + m.Duration.Value)
}

// write writes metadata.yaml into a folder so that after a power cut it is either whole or absent.
func (m *metadata) write(dir string) error {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(metadataFileContents{m}), e.Close()); err != nil {
		return err
	}
	path := filepath.Join(dir, metadataName)
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

// topicMetadata returns what Humble's metadata.yaml holds about a topic.
func topicMetadata(t Topic) metadataTopic {
	m := metadataTopic{Count: t.Count}
	m.Topic.Name, m.Topic.Type, m.Topic.Format = t.Name, t.Type, t.Format
	m.Topic.QoS = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: qosText(t.QoS)}
	return m
}
