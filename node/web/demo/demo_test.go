// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"

	"ugp_explorer/internal/testkit/browsertest"
)

// The demonstration runs from static files in a folder of a site: the robot takes a sample and can
// be paused.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("the demonstration for a browser is not built in the short tests")
	}
	tab := browsertest.Open(t)
	dir := t.TempDir()
	build := exec.Command("make", "-C", "../../..", "web-demo", "WEB="+dir)
	// Nothing else is compiled for a browser. Without inlining, it takes 38 instead of 55 s of processor time.
	build.Env = append(os.Environ(), `GOFLAGS=`+os.Getenv("GOFLAGS")+` "-gcflags=all=-l -dwarf=false -d=gcstart=512"`)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("make web-demo: %v\n%s", err, out)
	}
	mux := http.NewServeMux()
	mux.Handle("/field/", http.StripPrefix("/field", http.FileServer(http.Dir(dir))))
	site := httptest.NewServer(mux)
	defer site.Close()

	tab.Look(1200, 800, "light")
	tab.Do(chromedp.Navigate(site.URL + "/field/?seed=2"))
	tab.Until("a sample", `parseInt(document.querySelector('#samples-text').textContent) >= 1`)
	tab.Shoot("web-demo")
	tab.Click("[data-command=pause]")
	tab.Until("the pause", `document.querySelector('#state').dataset.state === 'paused'`)
	tab.Silent()

	tab.Do(chromedp.Navigate(site.URL + "/field/?seed=none"))
	tab.Until("why there is no mission", `document.body.innerText.includes('does not run')`)
}
