// Package serve shows runs in a browser: it renders pages from the files in their folders, which it only reads.
package serve

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports"
)

// Run is a run's folder with its plan, which is read again whenever it has changed.
type Run struct {
	Dir     string
	Brief   func() (Brief, error)           // fast: without the list of fits
	Planned func() ([]results.Label, error) // all fits of the plan, in its order
}

// Brief holds what a plan says of a run as a whole.
type Brief struct {
	Config reports.Config
	Input  reports.Input // without results
	Units  int           // of the plan: cells on a fold
	Text   string        // of the experiment file
}

// Options of the handler.
type Options struct {
	Runs   func() []Run // called for each page
	Host   string       // listened on; requests with another Host are refused
	Public bool         // reachable at other addresses than loopback ones
}

// New returns a handler of pages on runs.
func New(o Options) http.Handler {
	s := &server{Options: o, open: map[string]*run{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.listRuns)
	for name, a := range assets() {
		mux.Handle("GET /"+name, a)
	}
	for path, page := range map[string]func(*run, *http.Request) (*response, error){
		"{$}": overviewPage, "live": livePart, "cells": cellsPage, "cells/{key}": cellPage, "figures": figuresPage, "figures/{name}": figureFile, "report.html": reportFile,
	} {
		mux.HandleFunc("GET /{run}/"+path, func(w http.ResponseWriter, r *http.Request) { s.serveRun(w, r, page) })
	}
	mux.HandleFunc("GET /{run}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/"+url.PathEscape(r.PathValue("run"))+"/", http.StatusMovedPermanently)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.sendError(w, r, notFound("There is no such page.")) })
	return withPolicy(o, mux)
}

// server keeps what it read of runs, by folder.
type server struct {
	Options
	mu    sync.Mutex
	open  map[string]*run
	clock int // counts uses, to find the least recently used run
}

// namedRun is a run with its name in addresses.
type namedRun struct {
	Name string
	*run
}

// currentRuns returns the present runs. A run is named after its folder; of several with the same name, all but the first
// get a number.
func (s *server) currentRuns() []namedRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []namedRun
	taken := map[string]bool{}
	for _, r := range s.Runs() {
		dir := filepath.Clean(r.Dir)
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		known := s.open[dir]
		if known == nil {
			known = &run{Run: r}
			s.open[dir] = known
		}
		base := filepath.Base(dir)
		name := base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[name] = true
		out = append(out, namedRun{name, known})
	}
	return out
}

// maxLoaded is how many runs keep their results in memory.
const maxLoaded = 4

// markUsed marks a run as used and drops the results of the least recently used one if there are too many.
func (s *server) markUsed(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	r.lastUse = s.clock
	var loaded []*run
	for _, o := range s.open {
		if o.lastUse > 0 {
			loaded = append(loaded, o)
		}
	}
	if len(loaded) <= maxLoaded {
		return
	}
	oldest := slices.MinFunc(loaded, func(a, b *run) int { return a.lastUse - b.lastUse })
	oldest.lastUse = 0
	go oldest.releaseMemory() // it may be busy
}

// response is the content to send: a page, or a file as it is.
type response struct {
	Kind    string // content type; "" for a page
	Policy  string // "" for that of pages
	Content []byte
}

// serveRun answers a request on a run. Pages of one run are rendered one after the other.
func (s *server) serveRun(w http.ResponseWriter, r *http.Request, page func(*run, *http.Request) (*response, error)) {
	all := s.currentRuns()
	i := slices.IndexFunc(all, func(n namedRun) bool { return n.Name == r.PathValue("run") })
	if i < 0 {
		s.sendError(w, r, notFound("There is no run "+r.PathValue("run")+"."))
		return
	}
	one := all[i].run
	s.markUsed(one)
	a, err := one.withLock(all[i].Name, func() (*response, error) { return page(one, r) })
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	a.send(w, r, http.StatusOK)
}

func (a *response) send(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	if a.Kind != "" {
		h.Set("Content-Type", a.Kind)
	}
	if a.Policy != "" {
		h.Set("Content-Security-Policy", a.Policy)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", fmt.Sprint(len(a.Content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.Content) // the client is gone
	}
}

// httpError is an error with an HTTP status.
type httpError struct {
	status int
	text   string
}

func (p httpError) Error() string { return p.text }

func notFound(text string) error { return httpError{http.StatusNotFound, text} }

// sendError sends a page that shows an error.
func (s *server) sendError(w http.ResponseWriter, r *http.Request, err error) {
	p := httpError{http.StatusInternalServerError, err.Error()}
	errors.As(err, &p)
	a, err := renderPage("error", frame{Title: http.StatusText(p.status)}, strings.Split(p.text, "\n"))
	if err != nil {
		http.Error(w, p.text, p.status)
		return
	}
	a.send(w, r, p.status)
}

// renderPage renders a page with one of the templates.
func renderPage(name string, f frame, content any) (*response, error) {
	f.Content = content
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(sanitize.Writer(&b), name, f); err != nil {
		return nil, err
	}
	return &response{Content: b.Bytes()}, nil
}
