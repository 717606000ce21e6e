// Package serve shows runs in a browser: pages rendered from the files of their folders, which it only reads.
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

	"tenfold/io/plain"
	"tenfold/io/results"
	"tenfold/reports"
)

// Run is a run's folder and what its plan says, which is asked for again whenever the plan has changed.
type Run struct {
	Dir     string
	Brief   func() (Brief, error)           // quick: without the fits one by one
	Planned func() ([]results.Label, error) // all fits of the plan, in its order
}

// Brief is what a plan says of a run as a whole.
type Brief struct {
	Config reports.Config
	Input  reports.Input // without results
	Units  int           // of the plan: cells on a fold
	Text   string        // of the experiment file
}

// Options of a Handler.
type Options struct {
	Runs   func() []Run // those that there are now
	Host   string       // that is listened on; requests that call it otherwise are refused
	Public bool         // by addresses other than loopback ones, too
}

// New is a handler of pages on runs.
func New(o Options) http.Handler {
	s := &server{Options: o, open: map[string]*run{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.runs)
	for name, a := range assets() {
		mux.Handle("GET /"+name, a)
	}
	for path, page := range map[string]func(*run, *http.Request) (*answer, error){
		"{$}": overview, "live": livePart, "cells": cellsPage, "cells/{key}": cellPage, "figures": figuresPage, "figures/{name}": figureFile, "report.html": reportFile,
	} {
		mux.HandleFunc("GET /{run}/"+path, func(w http.ResponseWriter, r *http.Request) { s.ofRun(w, r, page) })
	}
	mux.HandleFunc("GET /{run}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/"+url.PathEscape(r.PathValue("run"))+"/", http.StatusMovedPermanently)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, missing("There is no such page.")) })
	return guard(o, mux)
}

// server keeps what it read of runs, by folder.
type server struct {
	Options
	mu    sync.Mutex
	open  map[string]*run
	clock int // counts uses, to find the run that was not used for longest
}

// named is a run with its name in addresses.
type named struct {
	Name string
	*run
}

// here are the runs that there are now. The name of one is that of its folder; of several with the same, all but the first
// have a number.
func (s *server) here() []named {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []named
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
		out = append(out, named{name, known})
	}
	return out
}

// mostLoaded is how many runs keep their results in memory.
const mostLoaded = 4

// use marks a run as used and lets go of the results of the one that was not for longest, where there are many.
func (s *server) use(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	r.used = s.clock
	var loaded []*run
	for _, o := range s.open {
		if o.used > 0 {
			loaded = append(loaded, o)
		}
	}
	if len(loaded) <= mostLoaded {
		return
	}
	oldest := slices.MinFunc(loaded, func(a, b *run) int { return a.used - b.used })
	oldest.used = 0
	go oldest.forget() // it may be busy
}

// answer is what is sent: a page, or a file as it is.
type answer struct {
	Kind    string // content type; "" for a page
	Policy  string // "" for that of pages
	Content []byte
}

// ofRun answers a request on a run. Pages on one run are made one after the other.
func (s *server) ofRun(w http.ResponseWriter, r *http.Request, page func(*run, *http.Request) (*answer, error)) {
	all := s.here()
	i := slices.IndexFunc(all, func(n named) bool { return n.Name == r.PathValue("run") })
	if i < 0 {
		s.fail(w, r, missing("There is no run "+r.PathValue("run")+"."))
		return
	}
	one := all[i].run
	s.use(one)
	a, err := one.with(all[i].Name, func() (*answer, error) { return page(one, r) })
	if err != nil {
		s.fail(w, r, err)
		return
	}
	a.send(w, r, http.StatusOK)
}

func (a *answer) send(w http.ResponseWriter, r *http.Request, status int) {
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
		_, _ = w.Write(a.Content) // whoever asked is gone: nobody is left to be told
	}
}

// problem is an error with a status of HTTP.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

func missing(text string) error { return problem{http.StatusNotFound, text} }

// fail tells of an error in a page.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problem{http.StatusInternalServerError, err.Error()}
	errors.As(err, &p)
	a, err := render("error", frame{Title: http.StatusText(p.status)}, strings.Split(p.text, "\n"))
	if err != nil {
		http.Error(w, p.text, p.status)
		return
	}
	a.send(w, r, p.status)
}

// render a page by a template of pages.
func render(name string, f frame, content any) (*answer, error) {
	f.Content = content
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(plain.Writer(&b), name, f); err != nil {
		return nil, err
	}
	return &answer{Content: b.Bytes()}, nil
}
