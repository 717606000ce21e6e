package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

var (
	//go:embed templates
	templates embed.FS
	//go:embed serve.css
	ownStyle string
	//go:embed serve.js
	ownScript string

	pages = template.Must(template.New("").Funcs(template.FuncMap{
		"span": durationText, "ago": humanAge, "size": sizeText, "rate": rateText, "count": digits.Count, "group": groupThousands, "short": cells.ShortKey, "day": dateText, "asset": func(name string) string { return assetAddresses()[name] },
		"breakable": func(text string) template.HTML { return template.HTML(table.Breakable(text)) },
	}).ParseFS(templates, "templates/*.html"))
)

// pageStyle returns the style of reports followed by that of these pages.
func pageStyle() string { return page.Style() + drawing.Style() + ownStyle }

func pageScript() string { return page.Script() + ownScript }

// frame is what surrounds the content of a page.
type frame struct {
	Title   string
	Run     *crumb // of a page on a run
	At      string // part of the run: overview, cells, figures
	Cell    string // of a page on a cell, its short key
	Live    bool   // it changes by itself: the browser reads it again now and then
	Content any
}

// crumb is the run in the head of a page.
type crumb struct{ Name, Base string }

// pageFrame returns the frame of a page on this run.
func (r *run) pageFrame(current, title string) frame {
	if title != "" {
		title += " · "
	}
	return frame{Title: title + r.name, Run: &crumb{r.name, r.basePath()}, At: current}
}

// basePath begins the addresses of a run.
func (r *run) basePath() string { return "/" + url.PathEscape(r.name) + "/" }

// cellLink returns the address of a cell of this run.
func (r *run) cellLink(key string) string {
	if key == "" {
		return ""
	}
	return r.basePath() + "cells/" + key
}

// renderSections renders sections of a page as HTML. The prefix keeps their ids apart from others on the page.
func (r *run) renderSections(prefix string, all ...page.Section) (template.HTML, error) {
	var b bytes.Buffer
	err := page.Sections(&b, page.Document{Sections: all, Links: r.cellLink, Prefix: prefix})
	return template.HTML(b.String()), err
}

// asset is a static file that is part of the program.
type asset struct{ kind, content string }

// assets maps addresses to assets.
func assets() map[string]asset {
	return map[string]asset{
		"style.css": {"text/css; charset=utf-8", pageStyle()},
		"script.js": {"text/javascript; charset=utf-8", pageScript()},
		"icon.svg":  {"image/svg+xml", icon},
	}
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 2h3v3h3v3h3v3h5" fill="none" stroke="#0072b2" stroke-width="2.2"/></svg>`

func (a asset) contentHash() string {
	sum := sha256.Sum256([]byte(a.content))
	return hex.EncodeToString(sum[:6])
}

func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "no-store")
	if r.URL.RawQuery == "v="+a.contentHash() {
		h.Set("Cache-Control", "max-age=31536000, immutable")
	}
	h.Set("Content-Length", strconv.Itoa(len(a.content)))
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, a.content) // the client is gone
	}
}

// assetAddresses maps assets to addresses that change with their content, so that browsers can cache them.
var assetAddresses = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for name, a := range assets() {
		out[name] = "/" + name + "?v=" + a.contentHash()
	}
	return out
})

func twoUnits(a int, ofA string, b int, ofB string) string {
	if ofA == "" {
		return fmt.Sprintf("%d %s", b, ofB)
	}
	return fmt.Sprintf("%d %s %02d %s", a, ofA, b, ofB)
}

// humanAge formats how long ago a time was: "3 min ago".
func humanAge(now, then time.Time) string {
	switch d := now.Sub(then); {
	case then.IsZero():
		return digits.Missing
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return dateText(then)
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return digits.Missing
	}
	return t.Format("2006-01-02 15:04")
}

// sizeText formats a size of memory.
func sizeText(bytes int64) string {
	switch mib := float64(bytes) / (1 << 20); {
	case bytes <= 0:
		return digits.Missing
	case mib >= 1024:
		return fmt.Sprintf("%.1f GiB", mib/1024)
	default:
		return fmt.Sprintf("%.0f MiB", mib)
	}
}

// rateText formats a rate in fits per second, minute or hour, whichever is easiest to read.
func rateText(anHour float64) string {
	for _, u := range []struct {
		name  string
		hours float64
	}{{"s", 1.0 / 3600}, {"min", 1.0 / 60}} {
		if v := anHour * u.hours; v >= 1 {
			return digits.Format("%.3g", v) + " fits/" + u.name
		}
	}
	if anHour == 0 {
		return digits.Missing
	}
	return digits.Format("%.3g", anHour) + " fits/h"
}

// groupThousands formats a whole number with thin spaces between thousands.
func groupThousands(n int) string {
	s := strconv.Itoa(n)
	if math.Abs(float64(n)) < 10_000 {
		return s
	}
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteRune('\u202f')
		}
		b.WriteRune(c)
	}
	return b.String()
}
