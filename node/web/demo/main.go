// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build js && wasm

// Command demo is the demonstration as WebAssembly: the five nodes, the simulated robot and the
// page's own server run in a worker of the browser. `make web-demo` puts it into a folder with the
// page. worker.js starts it with the mission's seed as its only argument.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall/js"

	"ugp_explorer/node/simulation"
	"ugp_explorer/node/web"
)

// address is inside of this program: Go's network in a browser has only the program itself.
const address = "127.0.0.1:8080"

// speed is how fast time passes, simulated seconds per second, as with ugp demo --live.
const speed = 20

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("the arguments are %q: want the seed", os.Args[1:])
	}
	seed, err := strconv.ParseInt(os.Args[1], 10, 32)
	if err != nil || seed < 0 {
		return fmt.Errorf("seed is %q: want a whole number from 0", os.Args[1])
	}
	cfg := simulation.DefaultConfig(seed)
	cfg.Explorer.OutputDir = "" // a browser has no files
	token := web.NewToken()
	cfg.Explorer.Web.Address, cfg.Explorer.Web.Token = address, token
	s, err := simulation.New(&cfg, simulation.Options{Receiver: simulation.DemoReceiver, Speed: speed, Terminal: io.Discard})
	if err != nil {
		return err
	}
	b := &bridge{token: token, client: &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{}).DialContext}}}
	js.Global().Call("serve", js.FuncOf(b.ask))
	ctx := context.Background()
	for {
		if err := s.Run(ctx); err != nil {
			return errors.Join(err, s.Close())
		}
		s.Stay(ctx)
	}
}

// bridge passes the page's requests to its server.
type bridge struct {
	token  string
	client *http.Client
}

// ask starts a request. Its arguments are method, path, body, and the callbacks head(status, type),
// piece(bytes) and end(error). end is called once, last, with "" if there was no error. ask returns a
// function that ends the request.
func (b *bridge) ask(_ js.Value, args []js.Value) any {
	method, path, body := args[0].String(), args[1].String(), args[2].String()
	head, piece, end := args[3], args[4], args[5]
	ctx, cancel := context.WithCancel(context.Background())
	stop := js.FuncOf(func(js.Value, []js.Value) any { cancel(); return nil })
	go func() {
		defer stop.Release() // after its end the worker does not call it any more
		defer cancel()
		if err := b.do(ctx, method, path, body, head, piece); err != nil {
			end.Invoke(err.Error())
			return
		}
		end.Invoke("")
	}()
	return stop
}

func (b *bridge) do(ctx context.Context, method, path, body string, head, piece js.Value) error {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+b.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := b.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	head.Invoke(answer.StatusCode, answer.Header.Get("Content-Type"))
	buffer := make([]byte, 16<<10)
	for {
		n, err := answer.Body.Read(buffer)
		if n > 0 {
			bytes := js.Global().Get("Uint8Array").New(n)
			js.CopyBytesToJS(bytes, buffer[:n])
			piece.Invoke(bytes)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
