// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command sbom writes the bill of materials of a Go program, in the CycloneDX format, to the standard output: each module in it with its
// version, checksum and licence. It ends with an error if a licence is incompatible with our Apache-2.0.
//
//	cd .ci/sbom && go run . PROGRAM
//
// It is a separate module, so that its dependencies are not in the product's go.mod.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"
)

// allowed are the licences, as SPDX names them, that ask for no more than to be named.
var allowed = []string{"Apache-2.0", "MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Unlicense", "CC0-1.0", "CC-BY-4.0", "FTL", "OFL-1.1"}

// read are the licences of modules whose files only name them, read by a person.
var read = map[string][]string{"github.com/golang/freetype": {"FTL"}} // or GPL-2.0-or-later, at choice

// least is the share of a licence file, in percent, that must be the text of a known licence.
const least = 75

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("usage: sbom PROGRAM"))
	}
	if err := run(os.Args[1]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "sbom:", err)
	os.Exit(1)
}

func run(program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	text, err := os.ReadFile("../../package.xml")
	if err != nil {
		return err
	}
	var ros struct {
		Version string `xml:"version"`
	}
	if err := xml.Unmarshal(text, &ros); err != nil {
		return fmt.Errorf("package.xml: %w", err)
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &cyclonedx.Component{
		Type: cyclonedx.ComponentTypeApplication, Name: filepath.Base(program), BOMRef: info.Main.Path, Version: ros.Version,
		Licenses: licences([]string{"Apache-2.0"}),
	}}
	components := []cyclonedx.Component{{
		Type: cyclonedx.ComponentTypeLibrary, BOMRef: "std", Name: "std", Version: info.GoVersion, PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
		Licenses: licences([]string{"BSD-3-Clause"}),
	}}
	var bad []error
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		found, err := licencesOf(m.Path)
		if err != nil {
			return err
		}
		for _, id := range found {
			if !slices.Contains(allowed, id) {
				bad = append(bad, fmt.Errorf("the licence of %s is %s, want one of %s", m.Path, id, strings.Join(allowed, ", ")))
			}
		}
		if len(found) == 0 {
			bad = append(bad, fmt.Errorf("%s has no licence that is known", m.Path))
		}
		c := cyclonedx.Component{
			Type: cyclonedx.ComponentTypeLibrary, BOMRef: m.Path, Name: m.Path, Version: m.Version,
			PackageURL: "pkg:golang/" + m.Path + "@" + m.Version, Licenses: licences(found),
		}
		// As in go.sum: of the list of the files with their SHA-256.
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(sum) == 32 {
			c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
		}
		components = append(components, c)
	}
	bom.Components = &components
	if err := errors.Join(bad...); err != nil {
		return err
	}
	return cyclonedx.NewBOMEncoder(os.Stdout, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
}

func licences(ids []string) *cyclonedx.Licenses {
	var all cyclonedx.Licenses
	for _, id := range ids {
		all = append(all, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
	}
	return &all
}

// licencesOf returns what the licence files in the root of a module are, by their text.
func licencesOf(module string) ([]string, error) {
	if known := read[module]; known != nil {
		return known, nil
	}
	list := exec.Command("go", "list", "-m", "-json", module)
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m %s: %w", module, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, err
	}
	if m.Dir == "" {
		return nil, fmt.Errorf("the source of %s is not there: run go mod download", module)
	}
	files, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, f := range files {
		name := strings.ToUpper(f.Name())
		if f.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") && !strings.HasPrefix(name, "UNLICENSE") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.Dir, f.Name()))
		if err != nil {
			return nil, err
		}
		cover := licensecheck.Scan(text)
		for _, match := range cover.Match {
			if cover.Percent >= least && !slices.Contains(found, match.ID) {
				found = append(found, match.ID)
			}
		}
	}
	return found, nil
}
