package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// tries is the number of consecutive attempts that may bring no bytes.
const tries = 4

// passing is an error that may be gone at the next attempt.
type passing struct{ err error }

func (p passing) Error() string { return p.err.Error() }
func (p passing) Unwrap() error { return p.err }

// persist downloads from a URL, however often the connection is cut, as long as each attempt gets further than all before. It fails
// after several attempts in a row that bring nothing, or that each had to begin anew.
func (f *Fetcher) persist(ctx context.Context, p *part, from string, exact bool) error {
	pause, most, anew := f.pause, p.size, 0
	for failed := 1; ; failed++ {
		before := p.size
		err := f.attempt(ctx, p, from, exact)
		if !errors.As(err, new(passing)) || errors.As(err, new(unwritable)) || ctx.Err() != nil {
			return err
		}
		if p.size > most {
			failed, pause, most = 1, f.pause, p.size
		}
		if p.size < before {
			anew++
		}
		switch {
		case failed == tries:
			return fmt.Errorf("%w, %d times in a row", err, tries)
		case anew == tries:
			return fmt.Errorf("%w; it had to begin anew %d times", err, tries)
		}
		f.warn(fmt.Errorf("%s: %w; trying again", Redacted(from), err))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause *= 2
	}
}

// attempt makes one request. It asks only for the missing bytes if those at hand came from the same URL and are known to be still
// valid: by the version the server gave (If-Range, RFC 9110 section 13.1.5), or by the check.
func (f *Fetcher) attempt(ctx context.Context, p *part, from string, exact bool) error {
	ctx, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", f.agent)
	req.Header.Set("Accept-Encoding", "identity") // ranges and checksums are of the file, not of a compressed message
	version := p.from.version()
	asked := p.size > 0 && p.from.URL == from && (version != "" || exact)
	if asked {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", p.size))
		if version != "" {
			req.Header.Set("If-Range", version)
		}
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return requestError(err)
	}
	defer resp.Body.Close()
	if asked && resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && total(resp) == p.size {
		p.pieced = true
		return nil // everything had arrived
	}
	length := resp.ContentLength
	switch resp.StatusCode {
	case http.StatusOK:
		if err := p.restart(originOf(from, resp)); err != nil {
			return err
		}
	case http.StatusPartialContent:
		err := p.continued(resp, asked, exact)
		if err != nil {
			return errors.Join(p.restart(origin{}), passing{err})
		}
		p.pieced = true
		if length >= 0 {
			length += p.size
		}
	case http.StatusRequestedRangeNotSatisfiable:
		return errors.Join(p.restart(origin{}), passing{errors.New("the file there is shorter than before")})
	default:
		return statusError(resp)
	}
	p.modified, _ = http.ParseTime(resp.Header.Get("Last-Modified"))
	stalled := time.AfterFunc(f.stall, func() { cut(fmt.Errorf("nothing came for %s", f.stall)) })
	defer stalled.Stop()
	err = f.pump(ctx, p, resp.Body, length, func() { stalled.Reset(f.stall) })
	if err == nil && length >= 0 && p.size != length {
		err = passing{fmt.Errorf("%d bytes came, expected %d", p.size, length)}
	}
	return err
}

// pump appends what is read to the part.
func (f *Fetcher) pump(ctx context.Context, p *part, in io.Reader, total int64, alive func()) error {
	f.progress(p.size, total)
	buf := make([]byte, 1<<17)
	for {
		n, err := in.Read(buf)
		if cause := context.Cause(ctx); err != nil && err != io.EOF && cause != nil {
			err = cause
		}
		alive()
		if _, werr := p.Write(buf[:n]); werr != nil {
			return unwritable{werr}
		}
		f.progress(p.size, total)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return passing{fmt.Errorf("the connection was cut after %d bytes", p.size)}
		case err != nil:
			return passing{fmt.Errorf("after %d bytes: %w", p.size, err)}
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// redirect follows the same redirects as a browser, except from a protected connection to an open one.
func redirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 10:
		return errRedirects
	case via[0].URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w to %s", errDowngrade, req.URL.Redacted())
	}
	return nil
}

var (
	errRedirects = errors.New("more than 10 redirections")
	errDowngrade = errors.New("redirected from https")
)

// requestError returns the error of a request that got no answer; it is passing, unless another attempt cannot help.
func requestError(err error) error {
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		err = outer.Err // the caller names the URL
	}
	var dns *net.DNSError
	switch {
	case errors.Is(err, errRedirects), errors.Is(err, errDowngrade), errors.As(err, new(*tls.CertificateVerificationError)),
		errors.As(err, &dns) && dns.IsNotFound:
		return err
	}
	return passing{err}
}

func statusError(resp *http.Response) error {
	err := fmt.Errorf("the server answered %s", resp.Status)
	switch c := resp.StatusCode; {
	case c == http.StatusRequestTimeout, c == http.StatusTooManyRequests, c >= 500 && c != http.StatusNotImplemented:
		return passing{err}
	}
	return err
}

// originOf returns the origin of a response: its URL as requested, and its version.
func originOf(from string, resp *http.Response) origin {
	o := origin{URL: from, ETag: resp.Header.Get("ETag"), Modified: resp.Header.Get("Last-Modified"), Size: max(0, resp.ContentLength)}
	if strings.HasPrefix(o.ETag, "W/") { // a weak ETag: same meaning, not same bytes
		o.ETag = ""
	}
	return o
}

// continued returns an error for a range that was not asked for, does not continue the bytes at hand, or is of another version of
// the file, as from a server that ignores If-Range. The response must name its ETag (RFC 9110 section 15.3.7), unless the check can
// tell; it may omit its date.
func (p *part) continued(resp *http.Response, asked, exact bool) error {
	given, now := resp.Header.Get("Content-Range"), originOf(p.from.URL, resp)
	span, ok := strings.CutPrefix(given, "bytes ")
	first, _, _ := strings.Cut(span, "-")
	start, err := strconv.ParseInt(first, 10, 64)
	size := total(resp)
	switch {
	case !asked || !ok || err != nil || start != p.size:
		return fmt.Errorf("the server sent the range %q, not that from byte %d", given, p.size)
	case now.ETag != p.from.ETag && (now.ETag != "" || !exact), now.ETag == "" && now.Modified != "" && now.Modified != p.from.Modified, p.from.Size > 0 && size >= 0 && size != p.from.Size:
		return errors.New("the file there is another than before")
	}
	return nil
}

// total returns the size of the file according to a response; -1 if it gives none.
func total(resp *http.Response) int64 {
	_, size, _ := strings.Cut(resp.Header.Get("Content-Range"), "/")
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
