// Package browsertest drives a Chromium for tests of pages, through its DevTools protocol.
package browsertest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"tenfold/io/host/hosttest"
	"testing"
	"time"
)

// Look is JavaScript with checks for all pages: checkLayout(when) and checkContrast() put what is wrong into problems.
//
//go:embed look.js
var Look string

// Command returns the path of the browser, which the environment variable CHROMIUM can name; the test is skipped where there is none.
func Command(t testing.TB) string {
	t.Helper()
	return hosttest.Find(t, "Chromium, in which pages are looked at", nil, cmp.Or(os.Getenv("CHROMIUM"), "chromium"), "chromium-browser", "google-chrome")
}

// Browser is a running one with one page. Its methods end the test where something fails.
type Browser struct {
	t        testing.TB
	in       *os.File
	mu       sync.Mutex
	next     int
	wait     map[int]chan message
	messages []string // on the console, and what was refused

	session string
	loaded  chan struct{}
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts a browser; the test is skipped where there is none.
func Start(t testing.TB, flags ...string) *Browser {
	t.Helper()
	command := Command(t)
	theirIn, in, err1 := os.Pipe()
	out, theirOut, err2 := os.Pipe()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "browser-")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	// The sandbox is for pages of strangers, and not to be had in many containers.
	args := append([]string{"--headless=new", "--disable-gpu", "--no-sandbox", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir=" + profile}, flags...)
	cmd := exec.CommandContext(ctx, command, append(args, "about:blank")...)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4, as the protocol has it
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = theirIn.Close(), theirOut.Close()
	b := &Browser{t: t, in: in, wait: map[int]chan message{}, loaded: make(chan struct{}, 16)}
	go b.listen(out)
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
		_, _ = in.Close(), out.Close()
		_ = os.RemoveAll(profile)
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// listen takes what the browser says: answers, and events.
func (b *Browser) listen(out *os.File) {
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		switch {
		case m.ID != 0:
			b.wait[m.ID] <- m
			delete(b.wait, m.ID)
		case m.Method == "Page.loadEventFired":
			select {
			case b.loaded <- struct{}{}:
			default:
			}
		case m.Method == "Runtime.consoleAPICalled" || m.Method == "Runtime.exceptionThrown" || m.Method == "Log.entryAdded":
			b.messages = append(b.messages, string(m.Params))
		}
		b.mu.Unlock()
	}
}

// call calls a method of the protocol.
func (b *Browser) call(method string, params, result any) {
	b.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	if params == nil {
		raw = []byte("{}")
	}
	answer := make(chan message, 1)
	b.mu.Lock()
	b.next++
	m := message{ID: b.next, SessionID: b.session, Method: method, Params: raw}
	b.wait[m.ID] = answer
	b.mu.Unlock()
	text, err := json.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	select {
	case a := <-answer:
		if a.Error != nil {
			b.t.Fatalf("%s: %s", method, a.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(a.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
	case <-time.After(time.Minute):
		b.t.Fatalf("%s: no answer", method)
	}
}

// Window sets the size of the page, and whether its reader likes dark colours.
func (b *Browser) Window(width, height int, dark bool) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Scripts switches the scripts of pages on or off; Eval works all the same.
func (b *Browser) Scripts(on bool) {
	b.t.Helper()
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": !on}, nil)
}

// Open opens a page and waits until it is loaded.
func (b *Browser) Open(address string) {
	b.t.Helper()
	for len(b.loaded) > 0 {
		<-b.loaded
	}
	var result struct{ ErrorText string }
	b.call("Page.navigate", map[string]any{"url": address}, &result)
	if result.ErrorText != "" {
		b.t.Fatalf("%s: %s", address, result.ErrorText)
	}
	select {
	case <-b.loaded:
	case <-time.After(time.Minute):
		b.t.Fatalf("%s: it does not load", address)
	}
}

// Eval returns the value of an expression in the page, which its policy does not hinder; promises are awaited.
func (b *Browser) Eval(expression string, value any) {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s", r.ExceptionDetails.Exception.Description)
	}
	if value != nil && len(r.Result.Value) > 0 {
		if err := json.Unmarshal(r.Result.Value, value); err != nil {
			b.t.Fatalf("%v: %s", err, r.Result.Value)
		}
	}
}

// Press presses a key such as Tab, Enter or ArrowLeft.
func (b *Browser) Press(key string) {
	b.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39}[key]
	down := map[string]any{"type": "rawKeyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
	if key == "Enter" {
		down["type"], down["text"] = "keyDown", "\r"
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
}

// Point points at a place of the window.
func (b *Browser) Point(x, y float64) {
	b.t.Helper()
	b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y}, nil)
}

// Picture returns the picture of the page as PNG: of all of it, up to a height.
func (b *Browser) Picture(height int) []byte {
	b.t.Helper()
	var size struct{ W, H float64 }
	b.Eval("({W: innerWidth, H: document.documentElement.scrollHeight})", &size)
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true,
		"clip": map[string]any{"x": 0, "y": 0, "width": size.W, "height": min(size.H, float64(height)), "scale": 1}}, &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return raw
}

// Said returns what the console has had since it was last asked: errors of scripts, and what a policy refused.
func (b *Browser) Said() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.messages
	b.messages = nil
	return out
}

// Waits until an expression is true.
func (b *Browser) Waits(expression string, most time.Duration) error {
	b.t.Helper()
	for until := time.Now().Add(most); ; time.Sleep(50 * time.Millisecond) {
		var ok bool
		b.Eval("!!("+strings.TrimSpace(expression)+")", &ok)
		if ok {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("after %v it is still not so: %s", most, expression)
		}
	}
}
