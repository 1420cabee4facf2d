// Code generated from package.xml. DO NOT EDIT.

package version

// Number is the version of all programs.
const Number = "1.0.0"
