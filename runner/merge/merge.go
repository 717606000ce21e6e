// Package merge unites runs of one plan that were made apart: on several machines, or in several folders. It needs the runs'
// folders alone, not the data.
package merge

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/runner/metric"
	"tenfold/runner/plan"
)

// agree is how far numbers of the same fit may be apart, relatively: another processor rounds differently.
const agree = 1e-9

// Merged is runs that belong together.
type Merged struct {
	*plan.Frozen        // what all of them planned, in the words of the first
	Facts        []Fact // of every run, in order
	Predictions  bool   // some were kept
	Conflicts    []string

	runs []*run
	out  *journal.Journal
	warn func(error)

	whole map[string]bool // parameters of grids that are whole numbers
}

// Fact is what came from a run.
type Fact struct {
	Dir   string
	Fits  int // that it has an outcome of
	Taken int // of them
	Close int // that another one made too, with numbers that are a little different
}

// run is one of them: its outcomes are stored in its folder, or in its result files, or both.
type run struct {
	dir    string
	frozen *plan.Frozen
	store  *journal.Journal
	tables *results.Tables // nil where there are none
	rows   map[string]*results.Row
}

// Open runs' folders. That they were planned differently is an error; so is none of them having anything.
func Open(dirs []string, warn func(error)) (*Merged, error) {
	m := &Merged{warn: warn}
	var errs []error
	for _, dir := range dirs {
		r, err := open(dir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		m.runs = append(m.runs, r)
		m.Facts = append(m.Facts, Fact{Dir: dir})
		if first := m.runs[0]; r != first {
			if words := differ(first.frozen, r.frozen); words != "" {
				errs = append(errs, fmt.Errorf("%s and %s are not runs of one plan: %s", first.dir, dir, words))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	m.Frozen = m.runs[0].frozen
	m.whole = m.wholes()
	return m, nil
}

func open(dir string) (*run, error) {
	r := &run{dir: dir, rows: map[string]*results.Row{}}
	var err error
	if r.frozen, err = plan.ReadFrozen(dir); err == nil && r.frozen == nil {
		err = fmt.Errorf("%s has no %s: it is not the folder of a run", dir, plan.FileName)
	}
	if err != nil {
		return nil, err
	}
	if r.store, err = journal.Open(dir); err != nil {
		return nil, err
	}
	r.tables, err = results.Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // it was killed; what is stored counts
	}
	if err != nil {
		return nil, err
	}
	for i := range r.tables.Rows {
		r.rows[r.tables.Rows[i].Unit] = &r.tables.Rows[i]
	}
	return r, nil
}

// Close the runs' files.
func (m *Merged) Close() error {
	var errs []error
	for _, r := range m.runs {
		if r.tables != nil {
			errs = append(errs, r.tables.Close())
		}
	}
	return errors.Join(errs...)
}

// differ says in words where two plans are different; "" where they are not. Paths and words of the experiment file do not
// count, nor does the order of the cells.
func differ(a, b *plan.Frozen) string {
	if a.Name != b.Name {
		return fmt.Sprintf("one is called %s, the other %s", a.Name, b.Name)
	}
	for i, set := range a.Datasets {
		if i >= len(b.Datasets) {
			break
		}
		if other := b.Datasets[i]; set.Name == other.Name && set.Digest != other.Digest {
			return fmt.Sprintf("data set %s has other data (digests %.12s and %.12s)", set.Name, set.Digest, other.Digest)
		}
	}
	names := func(f *plan.Frozen) map[string]string {
		out := map[string]string{}
		for _, c := range slices.Concat(f.Stages, f.Cells) {
			for _, u := range c.Units {
				out[u.Unit] = c.Dataset + " × " + c.Algorithm
			}
		}
		return out
	}
	in, other := names(a), names(b)
	for _, c := range []struct {
		some, more map[string]string
		who        string
	}{{other, in, "first"}, {in, other, "second"}} {
		var only []string
		for unit, name := range c.more {
			if _, ok := c.some[unit]; !ok {
				only = append(only, name)
			}
		}
		if len(only) > 0 {
			return fmt.Sprintf("%d fits are in the plan of the %s alone, such as of %s", len(only), c.who, slices.Min(only))
		}
	}
	return ""
}

// Into makes a folder the union: the plan, and one outcome of every unit that any run has. Units that came out differently are
// Conflicts. O(all outcomes).
func (m *Merged) Into(dir string) error {
	var err error
	if m.out, err = journal.Open(dir); err != nil {
		return err
	}
	for _, c := range slices.Concat(m.Stages, m.Cells) {
		for _, u := range c.Units {
			chosen, err := m.choose(&c, u)
			if err != nil {
				return err
			}
			if chosen == nil {
				continue
			}
			m.Predictions = m.Predictions || len(chosen.Predictions.Row) > 0
			if err := m.out.Put(u.Unit, chosen); err != nil {
				return err
			}
		}
	}
	return m.Write(dir)
}

// choose the outcome of a unit: the first good one, else the first one; nil where there is none.
func (m *Merged) choose(c *plan.FrozenCell, u plan.FrozenUnit) (*results.Outcome, error) {
	var chosen *results.Outcome
	by := -1
	for i, r := range m.runs {
		o, err := r.outcome(u.Unit, m.warn)
		if err != nil {
			return nil, err
		}
		if o == nil {
			continue
		}
		m.Facts[i].Fits++
		switch {
		case chosen == nil || chosen.Status != results.OK && o.Status == results.OK:
			chosen, by = o, i
		case chosen.Status == results.OK && o.Status == results.OK && c.Stage == "":
			switch words, apart := results.Difference(&results.Row{Outcome: *chosen}, &results.Row{Outcome: *o}); {
			case words == "":
			case apart <= agree:
				m.Facts[i].Close++
			default:
				l := m.label(c, u)
				m.Conflicts = append(m.Conflicts, fmt.Sprintf("%s: in %s %s in %s", l.Name(), r.dir, words, m.runs[by].dir))
			}
		}
	}
	if by >= 0 {
		m.Facts[by].Taken++
	}
	return chosen, nil
}

// outcome of a unit in a run, as it is stored, or as its results have it; nil where there is none.
func (r *run) outcome(unit string, warn func(error)) (*results.Outcome, error) {
	o, ok, err := r.store.Get(unit)
	if err != nil {
		warn(err)
	}
	if ok {
		return o, nil
	}
	row := r.rows[unit]
	if row == nil {
		return nil, nil
	}
	whole, err := r.tables.Whole(row)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.dir, err)
	}
	return &whole.Outcome, nil
}

// Rows of the union, in the order of the plan. asked are the metrics that the experiment file names.
func (m *Merged) Rows(asked []string) iter.Seq2[*results.Row, error] {
	return func(yield func(*results.Row, error) bool) {
		for _, c := range m.Cells {
			for _, u := range c.Units {
				o, ok, err := m.out.Get(u.Unit)
				if !ok && err == nil {
					continue
				}
				row := &results.Row{Label: m.label(&c, u)}
				if ok {
					row.Outcome = *o
					for _, name := range asked {
						if _, has := o.Metric(name); !has {
							row.Scores = append(row.Scores, metric.Derive(name, o.Scores)...)
						}
					}
				}
				if !yield(row, err) {
					return
				}
			}
		}
	}
}

// Clusterings that stages found: those of the first run that has them.
func (m *Merged) Clusterings() []results.Clustering {
	var out []results.Clustering
	for _, r := range m.runs {
		if r.tables == nil {
			continue
		}
		for _, c := range r.tables.Clusterings {
			if !slices.ContainsFunc(out, func(d results.Clustering) bool {
				return c.Dataset == d.Dataset && c.Algorithm == d.Algorithm && c.Cell == d.Cell
			}) {
				out = append(out, c)
			}
		}
	}
	return out
}

// Tally of the union: units planned, and of them those that ended well, those that did not, and those that no run has.
func (m *Merged) Tally() (units, ok, failed, missing int) {
	for _, c := range m.Cells {
		for _, u := range c.Units {
			units++
			switch head, there := m.out.Head(u.Unit); {
			case !there:
				missing++
			case head.Status == results.OK:
				ok++
			default:
				failed++
			}
		}
	}
	return units, ok, failed, missing
}

// label of a unit: that of its row in some run, else what the plan says.
func (m *Merged) label(c *plan.FrozenCell, u plan.FrozenUnit) results.Label {
	for _, r := range m.runs {
		if row := r.rows[u.Unit]; row != nil && row.Dataset == c.Dataset && row.Algorithm == c.Algorithm {
			return row.Label
		}
	}
	l := results.Label{
		Experiment: m.Name, Dataset: c.Dataset, Algorithm: c.Algorithm, Engine: c.Engine, Stage: c.Stage, Cell: c.Key, Unit: u.Unit, Params: c.Params,
		Repeat: int32(u.Repeat), Fold: int32(u.Fold), FoldDigest: u.FoldDigest, DatasetDigest: c.DatasetDigest, Seed: u.Seed, Revision: int32(c.Revision),
	}
	if i := slices.IndexFunc(m.Datasets, func(s plan.FrozenSet) bool { return s.Name == c.Dataset }); i >= 0 {
		l.Family, l.Task = m.Datasets[i].Family, m.Datasets[i].Task
	}
	for _, g := range c.Grid {
		l.Grid = append(l.Grid, results.Param{Name: g.Name, Value: m.typed(g.Name, g.Value)})
	}
	return l
}

// typed is a value of a grid as results have it: JSON has one kind of number.
func (m *Merged) typed(name string, value any) any {
	if x, ok := value.(float64); ok && m.whole[name] {
		return int64(x)
	}
	return value
}

// wholes are the parameters of grids that are whole numbers: those of which rows say so; of those that no row has, the ones
// whose every value is whole.
func (m *Merged) wholes() map[string]bool {
	whole := map[string]bool{}
	for _, c := range m.Cells {
		for _, g := range c.Grid {
			x, ok := g.Value.(float64)
			before, known := whole[g.Name]
			whole[g.Name] = ok && x == math.Trunc(x) && (before || !known)
		}
	}
	for _, r := range m.runs {
		for _, row := range r.rows {
			for _, p := range row.Grid {
				_, whole[p.Name] = p.Value.(int64)
			}
		}
	}
	return whole
}

// Where says what came from each run.
func (m *Merged) Where() string {
	var lines []string
	for _, f := range m.Facts {
		line := fmt.Sprintf("%s: %d of its %d fits", f.Dir, f.Taken, f.Fits)
		if f.Close > 0 {
			line += fmt.Sprintf("; %d more differ from those of an earlier one by no more than %.0g", f.Close, agree)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Same tells whether two paths are one folder.
func Same(a, b string) bool {
	x, errA := filepath.Abs(a)
	y, errB := filepath.Abs(b)
	return cmp.Or(errA, errB) == nil && x == y
}
