package runner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tenfold/io/results"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
	"tenfold/runner/plan"
)

// Undeclared is a file that a method opens though its code does not name it.
type Undeclared struct{ Method, File string }

// superseded is a stored outcome that is not used.
type superseded struct {
	started time.Time // tells it from a later outcome of the unit
	why     string
}

// Undeclared returns the undeclared files that were opened for stored fits, and have not changed since.
func (s *Session) Undeclared() []Undeclared {
	files, _ := s.findUndeclared()
	return files
}

// findUndeclared returns these files, and the outcomes of fits for which files were opened that have changed since, by unit.
func (s *Session) findUndeclared() (files []Undeclared, old map[string]superseded) {
	old = map[string]superseded{}
	methods := map[string]*declaration.Declaration{}
	for _, d := range s.File.Methods {
		methods[d.Name] = d
	}
	digests := map[Undeclared]string{}
	for _, c := range s.Cells {
		opened := s.openedFor(c)
		for file, fits := range opened {
			d := methods[file.Method]
			if d == nil {
				continue
			}
			if _, known := digests[file]; !known {
				digests[file] = process.UndeclaredDigest(d, file.File)
			}
			for _, f := range fits {
				if f.digest != digests[file] {
					old[f.unit] = superseded{f.started, fmt.Sprintf("%s changed, which method %s opened and its code does not name", file.File, file.Method)}
				} else if !slices.Contains(files, file) {
					files = append(files, file)
				}
			}
		}
	}
	slices.SortFunc(files, func(a, b Undeclared) int {
		return cmp.Or(strings.Compare(a.Method, b.Method), strings.Compare(a.File, b.File))
	})
	return files, old
}

// openedBy is a stored fit for which an undeclared file was opened.
type openedBy struct {
	unit, digest string
	started      time.Time
}

// openedFor returns the undeclared files that were opened for the stored fits of a cell. Another program may have opened a file while
// a method ran, so only those count that were opened for all fits that ended well.
func (s *Session) openedFor(c *plan.Cell) map[Undeclared][]openedBy {
	if !strings.Contains(c.Units[0].Ingredients.Params, algorithm.IdentityKey) {
		return nil
	}
	opened, good := map[Undeclared][]openedBy{}, map[Undeclared]int{}
	ended := 0
	for _, u := range c.Units {
		o, ok, err := s.store.Journal.Get(u.Label.Unit)
		s.faults.keep(err)
		if !ok || err != nil { // a damaged outcome counts as missing
			continue
		}
		seen := map[Undeclared]bool{}
		for _, fact := range o.Facts {
			if name, path, is := process.ReadOpened(fact); is {
				file := Undeclared{name, path}
				opened[file] = append(opened[file], openedBy{u.Label.Unit, fact.Value, o.Started})
				seen[file] = true
			}
		}
		if o.Status == results.OK {
			ended++
			for file := range seen {
				good[file]++
			}
		}
	}
	maps.DeleteFunc(opened, func(file Undeclared, _ []openedBy) bool { return good[file] < ended })
	return opened
}
