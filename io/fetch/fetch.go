// Package fetch downloads files into a folder, over HTTP or from mirrors of it. An interrupted download continues where it stopped;
// if a source fails, the next one is tried; a file gets its name when it is complete and has passed its check, and nothing is ever
// written outside the folder, or over an existing file.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Fetcher downloads one file at a time. Make it with New.
type Fetcher struct {
	Progress func(done, total int64) // bytes of the file; a total of -1 is not known yet. It may be nil
	Warn     func(error)             // is called for failures that are retried, there or elsewhere. It may be nil

	client *http.Client
	agent  string
	stall  time.Duration // time without a byte after which a connection counts as cut
	pause  time.Duration // pause before the first attempt after a failure; doubles each time
}

// New returns a fetcher that introduces itself to servers as agent. Proxies come from the usual environment variables.
func New(agent string) *Fetcher {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if usual, ok := http.DefaultTransport.(*http.Transport); ok {
		t = usual.Clone()
	}
	t.ResponseHeaderTimeout = time.Minute
	return &Fetcher{client: &http.Client{Transport: t, CheckRedirect: redirect}, agent: agent, stall: time.Minute, pause: time.Second}
}

// Item is one file to download.
type Item struct {
	Path    string   // slash-separated, below the folder
	Sources []string // URLs, or paths of files, in the order in which they are tried
	// Check returns an error if the complete content, in the file at path, is wrong. Exact means that it accepts only one content,
	// so that pieces of different versions cannot pass.
	Check func(path string) error
	Exact bool
}

// Rejected is the error of content that arrived whole and failed its check.
type Rejected struct{ Err error }

func (r Rejected) Error() string { return r.Err.Error() }
func (r Rejected) Unwrap() error { return r.Err }

// Get downloads a file that does not exist yet, and returns the source that it came from. Bytes that had arrived when Get was
// interrupted are kept in a hidden file beside it, and used by the next Get. Errors name every source.
func (f *Fetcher) Get(ctx context.Context, dir string, it Item) (source string, err error) {
	if err := Allowed(it.Path); err != nil {
		return "", err
	}
	if len(it.Sources) == 0 {
		return "", errors.New("no source is known")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	p, err := openPart(root, filepath.FromSlash(path.Clean(it.Path)))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	var errs []error
	for _, from := range it.Sources {
		err := f.whole(ctx, p, from, it)
		if err == nil {
			return from, p.commit()
		}
		errs = append(errs, fmt.Errorf("%s: %w", Redacted(from), err))
		if ctx.Err() != nil || errors.As(err, new(unwritable)) {
			break
		}
	}
	return "", errors.Join(errs...)
}

// whole downloads and checks. Content assembled from pieces and rejected may be of two versions: it is downloaded again from the
// start, once.
func (f *Fetcher) whole(ctx context.Context, p *part, from string, it Item) error {
	for again := false; ; again = true {
		if err := f.download(ctx, p, from, it.Exact); err != nil {
			return err
		}
		err := it.Check(p.name())
		if err == nil {
			return nil
		}
		pieced := p.pieced
		if err := p.restart(origin{}); err != nil {
			return err
		}
		if !pieced || again {
			return Rejected{err}
		}
		f.warn(fmt.Errorf("%s: %w; it is downloaded from the start", Redacted(from), err))
	}
}

func (f *Fetcher) download(ctx context.Context, p *part, from string, exact bool) error {
	if isURL(from) {
		return f.persist(ctx, p, from, exact)
	}
	return f.copyFile(ctx, p, from)
}

// copyFile copies a file of a mirror folder.
func (f *Fetcher) copyFile(ctx context.Context, p *part, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return errors.Unwrap(err) // the caller names the source
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	if err := p.restart(origin{}); err != nil {
		return err
	}
	p.modified = info.ModTime()
	return f.pump(ctx, p, in, info.Size(), func() {})
}

func (f *Fetcher) progress(done, total int64) {
	if f.Progress != nil {
		f.Progress(done, total)
	}
}

func (f *Fetcher) warn(err error) {
	if f.Warn != nil {
		f.Warn(err)
	}
}

// Allowed returns an error unless Get would write a path: one that stays below the folder, and is not hidden, because readers of
// folders skip hidden files and other programs may obey them.
func Allowed(name string) error {
	clean := path.Clean(name)
	switch {
	case !filepath.IsLocal(filepath.FromSlash(clean)):
		return fmt.Errorf("the path %q leads outside of the data folder: only what is below it is downloaded", name)
	case strings.HasPrefix(clean, ".") || strings.Contains(clean, "/."):
		return fmt.Errorf("the path %q is that of a hidden file: such files are not downloaded", name)
	}
	return nil
}

// Mirrored returns the source of a path in a mirror, which is a folder or the beginning of a URL.
func Mirrored(mirror, name string) (source string, err error) {
	if !isURL(mirror) {
		return filepath.Join(mirror, filepath.FromSlash(name)), nil
	}
	u, err := url.Parse(mirror)
	if err != nil {
		return "", fmt.Errorf("mirror %q: %w", mirror, errors.Unwrap(err))
	}
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		u = u.JoinPath(url.PathEscape(part))
	}
	return u.String(), nil
}

func isURL(s string) bool { return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") }

// Redacted returns a source without its password, for messages.
func Redacted(source string) string {
	if u, err := url.Parse(source); err == nil && isURL(source) {
		return u.Redacted()
	}
	return source
}

// exists returns the error for a name that is taken.
func exists(name string) error { return &fs.PathError{Op: "download", Path: name, Err: fs.ErrExist} }
