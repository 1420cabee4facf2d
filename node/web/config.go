// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"fmt"
	"net"
	"strconv"

	"ugp_explorer/node/ros/param"
)

// Config says where the page is served and who may use it.
type Config struct {
	Address     string // host:port, or :port for all interfaces; empty: there is no page
	Token       string // that commands need; empty: that of the environment, or a random one
	OpenReading bool   // reading needs no token
}

// TokenVariable is the environment variable with the token when Config.Token is empty.
const TokenVariable = "UGP_WEB_TOKEN"

// The shortest token would take years to guess at the rate that is allowed; the longest fits
// into a QR code that a phone can read from a terminal.
const (
	shortestToken = 8
	longestToken  = 128
)

// Declare binds the parameters to c.
func (c *Config) Declare(set *param.Set) {
	set.String(&c.Address, "web.address",
		param.Describe("address of the page for a phone or tablet, as in :8080 (all interfaces) or localhost:8080 (this computer only); empty: no page is served"))
	set.String(&c.Token, "web.token", param.Secret(),
		param.Describe("token that the page needs, also for commands, 8 to 128 visible characters; empty: the environment variable "+TokenVariable+", or else a random token, which is printed at the start as a link and a QR code"))
	set.Bool(&c.OpenReading, "web.open_reading",
		param.Describe("let everyone who can reach web.address see the page and download the results without the token; commands still need it"))
}

// On reports whether there is a page.
func (c *Config) On() bool { return c.Address != "" }

// Validate returns an error that names the first parameter that cannot be used.
func (c *Config) Validate() error {
	if c.Address != "" {
		_, port, err := net.SplitHostPort(c.Address)
		if err != nil {
			return fmt.Errorf("web.address is %q: want host:port, as in :8080 or localhost:8080", c.Address)
		}
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return fmt.Errorf("web.address is %q: the port must be a number from 0 to 65535", c.Address)
		}
	}
	if c.Token == "" {
		return nil
	}
	if err := checkToken(c.Token); err != nil {
		return fmt.Errorf("web.token %w", err)
	}
	return nil
}

// checkToken never quotes the token.
func checkToken(token string) error {
	if len(token) < shortestToken || len(token) > longestToken {
		return fmt.Errorf("has %d characters: want %d to %d", len(token), shortestToken, longestToken)
	}
	for _, b := range []byte(token) {
		if b <= ' ' || b > '~' {
			return errors.New("has a character that is not visible ASCII")
		}
	}
	return nil
}
