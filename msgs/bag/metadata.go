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

// maxMetadata bounds what is read of a metadata.yaml; a bag of 10 000 files and topics has about 4 MB.
const maxMetadata = 64 << 20

// metadata is metadata.yaml, versions 1 to 9: fields that a version lacks are empty.
type metadata struct {
	Version           int               `yaml:"version"`
	Storage           string            `yaml:"storage_identifier"`
	Duration          nanoseconds       `yaml:"duration"`
	Start             sinceEpoch        `yaml:"starting_time"`
	Count             int64             `yaml:"message_count"`
	Topics            []metadataTopic   `yaml:"topics_with_message_count"`
	CompressionFormat string            `yaml:"compression_format"` // from 3
	CompressionMode   string            `yaml:"compression_mode"`   // from 3
	Paths             []string          `yaml:"relative_file_paths"`
	Files             []metadataFile    `yaml:"files"`                 // from 5
	Custom            map[string]string `yaml:"custom_data,omitempty"` // from 6
	Distro            string            `yaml:"ros_distro,omitempty"`  // from 8
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

// yamlInt takes numbers up to 2⁶⁴, as rosbag2 writes negative ones.
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

// encode returns metadata.yaml, or the part of it that rosbag2 puts into its storage files from Iron on.
func (m *metadata) encode(whole bool) ([]byte, error) {
	var n yaml.Node
	if err := n.Encode(m); err != nil {
		return nil, err
	}
	// What a version has it has even when it is empty: rosbag2 asks for every field.
	add := func(key string, v *yaml.Node) {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return
			}
		}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, v)
	}
	if m.Version >= 6 {
		add("custom_data", &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle})
	}
	if m.Version >= 8 {
		add("ros_distro", &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle})
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	var err error
	if whole {
		err = e.Encode(map[string]*yaml.Node{"rosbag2_bagfile_information": &n})
	} else {
		err = e.Encode(&n)
	}
	return b.Bytes(), errors.Join(err, e.Close())
}

// writeFileDurably writes a file so that after a power cut it is either whole or not there.
func writeFileDurably(path string, b []byte) error {
	tmp := path + ".part"
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// topicMetadata returns what a version of metadata.yaml has of a topic.
func topicMetadata(t Topic, version int) metadataTopic {
	var m metadataTopic
	m.Count = t.Count
	m.Topic.Name, m.Topic.Type, m.Topic.Format = t.Name, t.Type, t.Format
	if version < 9 {
		m.Topic.QoS = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: qosText(t.QoS, version)}
	} else {
		m.Topic.QoS = *qosNode(t.QoS, version)
	}
	if version >= 7 {
		m.Topic.Hash = &t.Hash
	}
	return m
}
