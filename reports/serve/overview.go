package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"tenfold/io/results"
	"tenfold/reports/page"
)

func (s *server) listRuns(w http.ResponseWriter, r *http.Request) {
	type line struct {
		runState
		Name, Base, Title, Dir string
	}
	var lines []line
	f := frame{Title: "Runs"}
	for _, one := range s.currentRuns() {
		_, err := one.withLock(one.Name, func() (*response, error) {
			l := line{runState: one.stateAt(time.Now()), Name: one.Name, Base: one.basePath(), Dir: one.Dir}
			if one.brief != nil {
				l.Title = one.brief.Input.Title
			}
			lines = append(lines, l)
			f.Live = f.Live || l.Live()
			return nil, nil
		})
		if err != nil {
			lines = append(lines, line{runState: runState{summary: &summary{}, State: stateUnreadable, Trouble: err.Error()}, Name: one.Name, Base: "/" + one.Name + "/", Dir: one.Dir})
		}
	}
	a, err := renderPage("runs", f, lines)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	a.send(w, r, http.StatusOK)
}

// overviewContent is the first page of a run.
type overviewContent struct {
	liveContent
	Title, Name, Lead string
	Digest            string
	Path, Text        string // the experiment file
	Facts             []page.Fact
	Unread            int           // stored outcomes that were not read yet
	SoFar             *cellsContent // of a run without result files
	Body              template.HTML
	Report            bool
}

// liveContent is the part of a page that shows progress.
type liveContent struct {
	runState
	Base    string
	Version string // changes when the rest of the page has to be read again
}

func (r *run) liveStatus() liveContent {
	l := liveContent{runState: r.stateAt(time.Now()), Base: r.basePath()}
	sum := sha256.Sum256(fmt.Append(nil, r.stamp, l.State, l.Done, l.Bad))
	l.Version = hex.EncodeToString(sum[:8])
	return l
}

// livePart sends the part that pages poll to follow a run.
func livePart(r *run, _ *http.Request) (*response, error) {
	return renderPage("live", frame{}, r.liveStatus())
}

// overviewPage sends the first page of a run.
func overviewPage(r *run, _ *http.Request) (*response, error) {
	v, err := r.loadView()
	if err != nil {
		return nil, err
	}
	in := r.brief.Input
	c := overviewContent{liveContent: r.liveStatus(), Title: in.Title, Name: in.Name, Path: in.Spec, Text: r.brief.Text, Report: r.stampOf("report.html").exists()}
	if v.stored != nil {
		c.Unread = v.stored.Left
	} else {
		c.Lead = v.Lead()
		c.Digest = v.Digest
		c.Facts = r.provenanceFacts(v)
	}
	all := []page.Section{{Title: "Failures", Blocks: v.Failures()}, {Title: "Methods", Blocks: v.Methods()}, {Title: "Data", Blocks: v.Data()}}
	switch {
	case v.Rows == 0:
	case v.stored != nil: // comparisons would mostly say that folds are missing
		c.SoFar = r.cellTable(v, cellQuery{page: 1})
	default:
		all = append([]page.Section{{Title: "Results", Blocks: v.Tables()}}, all...)
	}
	if c.Body, err = r.renderSections("", all...); err != nil {
		return nil, err
	}
	f := r.pageFrame("overview", "")
	f.Live = c.Follows()
	return renderPage("overview", f, c)
}

// Follows reports whether the page changes by itself.
func (c overviewContent) Follows() bool { return c.Live() || c.Unread > 0 || c.State == stateEmpty }

// provenanceFacts says where the results of a run come from.
func (r *run) provenanceFacts(v *view) []page.Fact {
	p := v.Provenance
	var out []page.Fact
	for _, f := range []page.Fact{
		{Name: "written", Value: dateText(r.stamp.results.readTime)}, {Name: "by", Value: p.Version}, {Name: "commit", Value: results.CommitText(p.Commit, p.Dirty)}, {Name: "machine", Value: p.Machine},
		{Name: "folder", Value: r.Dir},
	} {
		if f.Value != "" {
			out = append(out, f)
		}
	}
	return out
}
