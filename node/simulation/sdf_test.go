// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

// sdfFile is what the tests read of an SDF file, independently of what wrote it.
type sdfFile struct {
	World sdfWorld `xml:"world"`
	Model sdfModel `xml:"model"`
}

type sdfWorld struct {
	Name      string      `xml:"name,attr"`
	Plugins   []sdfPlugin `xml:"plugin"`
	Spherical struct {
		Lat float64 `xml:"latitude_deg"`
		Lon float64 `xml:"longitude_deg"`
	} `xml:"spherical_coordinates"`
	Models []sdfModel `xml:"model"`
}

type sdfModel struct {
	Name    string      `xml:"name,attr"`
	Pose    sdfNumbers  `xml:"pose"`
	Links   []sdfLink   `xml:"link"`
	Frames  []sdfFrame  `xml:"frame"`
	Plugins []sdfPlugin `xml:"plugin"`
}

type sdfFrame struct {
	Name string     `xml:"name,attr"`
	Pose sdfNumbers `xml:"pose"`
}

type sdfLink struct {
	Name       string      `xml:"name,attr"`
	Pose       sdfNumbers  `xml:"pose"`
	Collisions []sdfShape  `xml:"collision"`
	Visuals    []sdfShape  `xml:"visual"`
	Sensors    []sdfSensor `xml:"sensor"`
}

type sdfShape struct {
	Name     string     `xml:"name,attr"`
	Pose     sdfNumbers `xml:"pose"`
	Geometry struct {
		Box      sdfNumbers `xml:"box>size"`
		Cylinder struct {
			Radius float64 `xml:"radius"`
			Length float64 `xml:"length"`
		} `xml:"cylinder"`
	} `xml:"geometry"`
}

type sdfSensor struct {
	Name  string     `xml:"name,attr"`
	Type  string     `xml:"type,attr"`
	Pose  sdfNumbers `xml:"pose"`
	Topic string     `xml:"topic"`
	Fix   float64    `xml:"navsat>position_sensing>horizontal>noise>stddev"`
}

type sdfPlugin struct {
	Name     string       `xml:"name,attr"`
	Elements []sdfElement `xml:",any"`
}

// all returns the texts of the elements of a name.
func (p sdfPlugin) all(name string) (texts []string) {
	for _, e := range p.Elements {
		if e.XMLName.Local == name {
			texts = append(texts, strings.TrimSpace(e.Text))
		}
	}
	return texts
}

// one returns the text of the only element of a name.
func (p sdfPlugin) one(t *testing.T, name string) string {
	t.Helper()
	all := p.all(name)
	if len(all) != 1 {
		t.Fatalf("%s has %d elements %s, want one", p.Name, len(all), name)
	}
	return all[0]
}

type sdfElement struct {
	XMLName xml.Name
	Text    string       `xml:",chardata"`
	Name    string       `xml:"name,attr"`
	Type    string       `xml:"type,attr"`
	Inside  []sdfElement `xml:",any"`
}

// sdfNumbers is the text of an element with several numbers.
type sdfNumbers []float64

func (n *sdfNumbers) UnmarshalText(text []byte) error {
	for _, word := range strings.Fields(string(text)) {
		var v float64
		if _, err := fmt.Sscan(word, &v); err != nil {
			return err
		}
		*n = append(*n, v)
	}
	return nil
}

// at returns a number, 0 where an element is missing.
func (n sdfNumbers) at(i int) float64 {
	if i >= len(n) {
		return 0
	}
	return n[i]
}

func readSDF(t *testing.T, file string) (s sdfFile) {
	t.Helper()
	readXML(t, file, &s)
	return s
}

func readXML(t *testing.T, file string, into any) {
	t.Helper()
	if err := xml.Unmarshal([]byte(readText(t, file)), into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// model returns the model of a name.
func (w sdfWorld) model(t *testing.T, name string) sdfModel {
	t.Helper()
	for _, m := range w.Models {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("world %s has no model %s", w.Name, name)
	return sdfModel{}
}
