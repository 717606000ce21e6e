package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"tenfold/reports/page"
)

// runs is the list of runs.
func (s *server) runs(w http.ResponseWriter, r *http.Request) {
	type line struct {
		standing
		Name, Base, Title, Dir string
	}
	var lines []line
	f := frame{Title: "Runs"}
	for _, one := range s.here() {
		_, err := one.with(one.Name, func() (*answer, error) {
			l := line{standing: one.stands(time.Now()), Name: one.Name, Base: one.base(), Dir: one.Dir}
			if one.brief != nil {
				l.Title = one.brief.Input.Title
			}
			lines = append(lines, l)
			f.Live = f.Live || l.Live()
			return nil, nil
		})
		if err != nil {
			lines = append(lines, line{standing: standing{summary: &summary{}, State: unreadable, Trouble: err.Error()}, Name: one.Name, Base: "/" + one.Name + "/", Dir: one.Dir})
		}
	}
	a, err := render("runs", f, lines)
	if err != nil {
		s.fail(w, r, err)
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
	SoFar             *cellsContent // of a run that is not written
	Body              template.HTML
	Report            bool
}

// liveContent is the part of a page that follows the progress.
type liveContent struct {
	standing
	Base    string
	Version string // changes when the rest of the page is to be read again
}

func (r *run) live() liveContent {
	l := liveContent{standing: r.stands(time.Now()), Base: r.base()}
	sum := sha256.Sum256(fmt.Append(nil, r.stamp, l.State, l.Done, l.Bad))
	l.Version = hex.EncodeToString(sum[:8])
	return l
}

// livePart is what pages ask for to follow a run.
func livePart(r *run, _ *http.Request) (*answer, error) { return render("live", frame{}, r.live()) }

// overview of a run.
func overview(r *run, _ *http.Request) (*answer, error) {
	v, err := r.load()
	if err != nil {
		return nil, err
	}
	in := r.brief.Input
	c := overviewContent{liveContent: r.live(), Title: in.Title, Name: in.Name, Path: in.Spec, Text: r.brief.Text, Report: r.mark("report.html").there()}
	if v.stored != nil {
		c.Unread = v.stored.Left
	} else {
		c.Lead = v.Lead()
		c.Digest = v.Digest
		c.Facts = r.provenance(v)
	}
	all := []page.Section{{Title: "Failures", Blocks: v.Failures()}, {Title: "Data", Blocks: v.Data()}}
	switch {
	case v.Rows == 0:
	case v.stored != nil: // comparisons would say of most cells that folds are missing
		c.SoFar = r.table(v, query{page: 1})
	default:
		all = append([]page.Section{{Title: "Results", Blocks: v.Tables()}}, all...)
	}
	if c.Body, err = r.sections("", all...); err != nil {
		return nil, err
	}
	f := r.frame("overview", "")
	f.Live = c.Follows()
	return render("overview", f, c)
}

// Follows tells whether the page changes by itself.
func (c overviewContent) Follows() bool { return c.Live() || c.Unread > 0 || c.State == empty }

// provenance is where the results of a run come from.
func (r *run) provenance(v *view) []page.Fact {
	p := v.Provenance
	commit := p.Commit
	if commit != "" && p.Dirty {
		commit += ", with uncommitted changes"
	}
	var out []page.Fact
	for _, f := range []page.Fact{
		{Name: "written", Value: day(r.stamp.results.at)}, {Name: "by", Value: p.Version}, {Name: "commit", Value: commit}, {Name: "machine", Value: p.Machine},
		{Name: "folder", Value: r.Dir},
	} {
		if f.Value != "" {
			out = append(out, f)
		}
	}
	return out
}
