// Package merge unites runs of one plan that were made apart: on several machines, or in several folders. It needs only
// the runs' folders, not the data.
package merge

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/io/files"
	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/io/results/difference"
	"tenfold/io/sanitize"
	"tenfold/runner/experiment"
	"tenfold/runner/plan"
)

// Merged is a set of runs of the same plan.
type Merged struct {
	*plan.Frozen        // of the first run; the others have the same plan
	Facts        []Fact // of every run, in order
	Predictions  bool   // some run kept predictions
	Conflicts    []string

	runs []*sourceRun
	warn func(error)

	out     *journal.Journal // of the union
	labels  []results.Label  // of its rows, in the order of the plan
	metrics []string         // that the experiment file names
}

// Fact counts what came from a run.
type Fact struct {
	Dir   string
	Fits  int // with an outcome in this run
	Taken int // of these, outcomes taken into the union
	Close int // of these, also in another run with slightly different numbers
}

// sourceRun is one of the runs. Its outcomes are stored in its folder, in its result files, or both.
type sourceRun struct {
	dir    string
	frozen *plan.Frozen
	store  *journal.Journal
	tables *results.Tables // nil if there are none
	rows   map[string]*results.Row
}

// Open opens runs' folders. It fails if they were planned differently, or if none has any outcome.
func Open(dirs []string, warn func(error)) (*Merged, error) {
	m := &Merged{warn: warn}
	var errs []error
	for _, dir := range dirs {
		r, err := openRun(dir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		m.runs = append(m.runs, r)
		m.Facts = append(m.Facts, Fact{Dir: dir})
		if first := m.runs[0]; r != first {
			if words := planDifference(first.frozen, r.frozen); words != "" {
				errs = append(errs, fmt.Errorf("%s and %s are not runs of one plan: %s", first.dir, dir, words))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	m.Frozen = m.runs[0].frozen
	return m, nil
}

func openRun(dir string) (*sourceRun, error) {
	r := &sourceRun{dir: dir, rows: map[string]*results.Row{}}
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
		return r, nil // the run was killed before it wrote results
	}
	if err != nil {
		return nil, err
	}
	for i := range r.tables.Rows {
		r.rows[r.tables.Rows[i].Unit] = &r.tables.Rows[i]
	}
	return r, nil
}

// Close closes the runs' files.
func (m *Merged) Close() error {
	var errs []error
	for _, r := range m.runs {
		if r.tables != nil {
			errs = append(errs, r.tables.Close())
		}
	}
	return errors.Join(errs...)
}

// planDifference says in words how two plans differ; "" if they do not. Paths and the text of the experiment file do not
// count, nor does the order of the cells.
func planDifference(a, b *plan.Frozen) string {
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

// Into writes the union to a folder: the plan, and one outcome of every unit that any run has. Units that came out
// differently are listed in Conflicts. file is the experiment of the plan. O(all outcomes).
func (m *Merged) Into(dir string, file *experiment.File) error {
	var err error
	if m.out, err = journal.Open(dir); err != nil {
		return err
	}
	m.labels, m.metrics = planLabels(m.Frozen, file), file.Metrics
	for _, c := range m.Stages {
		for _, u := range c.Units {
			if err := m.mergeUnit(&results.Label{Unit: u.Unit, Stage: c.Stage}); err != nil {
				return err
			}
		}
	}
	for i := range m.labels {
		if err := m.mergeUnit(&m.labels[i]); err != nil {
			return err
		}
	}
	return m.Write(dir)
}

// mergeUnit stores the chosen outcome of a unit.
func (m *Merged) mergeUnit(u *results.Label) error {
	chosen, err := m.chooseOutcome(u)
	if chosen == nil || err != nil {
		return err
	}
	m.Predictions = m.Predictions || len(chosen.Predictions.Row) > 0
	return m.out.Put(u.Unit, chosen)
}

// chooseOutcome returns the first good outcome of a unit, else the first one; nil if there is none.
func (m *Merged) chooseOutcome(u *results.Label) (*results.Outcome, error) {
	var chosen *results.Outcome
	by := -1
	for i, r := range m.runs {
		o, err := r.outcomeOf(u.Unit, m.warn)
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
		case chosen.Status == results.OK && o.Status == results.OK && u.Stage == "":
			switch words, apart := difference.Between(&results.Row{Outcome: *chosen}, &results.Row{Outcome: *o}); {
			case words == "":
			case apart <= difference.Agree:
				m.Facts[i].Close++
			default:
				m.Conflicts = append(m.Conflicts, fmt.Sprintf("%s: in %s %s in %s", u.Name(), r.dir, words, m.runs[by].dir))
			}
		}
	}
	if by >= 0 {
		m.Facts[by].Taken++
	}
	return chosen, nil
}

// outcomeOf returns the outcome of a unit from the store or else from the results; nil if there is none.
func (r *sourceRun) outcomeOf(unit string, warn func(error)) (*results.Outcome, error) {
	o, ok, err := r.store.Get(unit)
	if files.Fault(err) {
		return nil, err
	}
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
	whole, err := r.tables.ReadAllParts(row)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.dir, err)
	}
	return &whole.Outcome, nil
}

// Rows iterates over the rows of the union in the order of the plan.
func (m *Merged) Rows() iter.Seq2[*results.Row, error] {
	return func(yield func(*results.Row, error) bool) {
		for _, l := range m.labels {
			o, ok, err := m.out.Get(l.Unit)
			if !ok && err == nil {
				continue
			}
			row := &results.Row{Label: l}
			if ok {
				row.Outcome = *o
				for _, name := range m.metrics {
					row.Scores = append(row.Scores, m.Frozen.Defined.Derive(name, o)...)
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// Clusterings returns the clusterings that stages found, from the store or else from the results of a run.
func (m *Merged) Clusterings() ([]results.Clustering, error) {
	var out []results.Clustering
	for _, c := range m.Stages {
		all, err := c.Clusterings(m.out)
		if err != nil {
			return nil, err
		}
		for _, r := range m.runs {
			if len(all) == 0 && r.tables != nil {
				all = slices.DeleteFunc(slices.Clone(r.tables.Clusterings), func(k results.Clustering) bool { return k.Cell != c.Key })
			}
		}
		out = append(out, all...)
	}
	return out, nil
}

// Similar returns the similar columns of the data sets, each from the first run with results of it.
func (m *Merged) Similar() (all []results.Similar) {
	for _, r := range m.runs {
		if r.tables == nil {
			continue
		}
		for _, similar := range r.tables.Meta.Similar {
			if !slices.ContainsFunc(all, func(had results.Similar) bool { return had.Digest == similar.Digest }) {
				all = append(all, similar)
			}
		}
	}
	return all
}

// Tally counts the units planned, and of them those that ended well, those that failed, and those that no run has.
func (m *Merged) Tally() (units, ok, failed, missing int) {
	for _, l := range m.labels {
		switch head, there := m.out.Head(l.Unit); {
		case !there:
			missing++
		case head.Status == results.OK:
			ok++
		default:
			failed++
		}
	}
	return len(m.labels), ok, failed, missing
}

// planLabels returns the labels of the plan's units, in order, as the rows of a run have them. The file is needed because
// the plan has only parameters that differ from their defaults, and its grid values lost their types in JSON.
func planLabels(f *plan.Frozen, file *experiment.File) []results.Label {
	type place struct{ dataset, algorithm, point string }
	labelled := func(dataset, algorithm string, grid []results.Param) place {
		var point strings.Builder
		for _, p := range grid {
			fmt.Fprintf(&point, "%q=%q ", p.Name, plan.Coordinate(p.Value))
		}
		return place{dataset, algorithm, point.String()}
	}
	type cell struct {
		params string
		grid   []results.Param
	}
	cells := map[place]cell{}
	for _, s := range file.Datasets {
		for _, a := range file.Algorithms {
			grid := slices.Concat(a.Grid, s.Grid)
			cells[labelled(s.Name, a.Name, grid)] = cell{a.Params, grid}
		}
	}
	out := f.Labels()
	for i := range out {
		l := &out[i]
		if c, ok := cells[labelled(cmp.Or(l.Family, l.Dataset), l.Algorithm, l.Grid)]; ok {
			l.Params, l.Grid = c.params, c.grid
		}
	}
	return out
}

// Where says what came from each run.
func (m *Merged) Where() string {
	var lines []string
	for _, f := range m.Facts {
		line := fmt.Sprintf("%s: %d of its %d fits", f.Dir, f.Taken, f.Fits)
		if f.Close > 0 {
			line += fmt.Sprintf("; %d more differ from those of an earlier one by no more than %.0g", f.Close, difference.Agree)
		}
		lines = append(lines, sanitize.Line(line))
	}
	return strings.Join(lines, "\n")
}

// Same reports whether two paths are one folder.
func Same(a, b string) bool {
	x, errA := filepath.Abs(a)
	y, errB := filepath.Abs(b)
	return cmp.Or(errA, errB) == nil && x == y
}
