module ugp_explorer/sbom

go 1.26.0

require (
	github.com/CycloneDX/cyclonedx-go v0.10.0
	github.com/google/licensecheck v0.3.1
)
