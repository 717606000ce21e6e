// Package runner carries one experiment from its plan to the files of its run's folder: it runs what is missing and
// writes everything that is stored.
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method/declaration"
	"tenfold/runner/plan"
)

// Places holds the folders and memory limits of a session.
type Places struct {
	Run   string   // the run's folder
	Cache string   // compiled data sets
	Data  []string // where data files are looked up
	// Memory is about how many bytes reading a data set may take; 0 for the default. What exceeds it goes to disk, in the
	// cache folder.
	Memory      int64
	MemoryLimit int64 // bytes of memory available for lists of rows; 0 if unknown
}

// Session is one experiment with its run's folder.
type Session struct {
	*plan.Plan
	Dir     string
	Stages  []*plan.Unit        // of stages that have to run before Todo
	Todo    []*plan.Unit        // units of cells that have to run, in the order of the plan
	Before  func() *plan.Frozen // plan of the earlier run in the folder, read when first called; nil if there is none
	chosen  map[*plan.Cell]bool
	fresh   bool
	store   store
	faults  *faults
	folders files.Folders
	watch   *files.Watch // watches the data files for changes
	code    *declaration.CodeWatch
}

// store holds the outcomes in the run's folder. A damaged outcome is removed with a warning: its unit then counts as missing and runs
// again. So do units whose outcome is superseded.
type store struct {
	*journal.Journal
	warn func(error)
	old  map[string]superseded // by unit
}

// Get returns the outcome of a unit. An error is a fault of the system.
func (s store) Get(unit string) (*results.Outcome, bool, error) {
	o, ok, err := s.Journal.Get(unit)
	if files.Fault(err) {
		return nil, false, err
	}
	if err != nil {
		s.warn(errors.Join(err, s.Remove(unit)))
	}
	if was, is := s.old[unit]; ok && is && was.started.Equal(o.Started) {
		return nil, false, nil
	}
	return o, ok, nil
}

// Head returns the head of the outcome of a unit.
func (s store) Head(unit string) (results.Head, bool) {
	if _, is := s.old[unit]; is {
		o, ok, err := s.Get(unit)
		if err != nil {
			s.Warn(err)
		}
		if ok {
			return o.Head(), true
		}
		return results.Head{}, false
	}
	return s.Journal.Head(unit)
}

// faults collects the errors of the system behind what otherwise would count as missing. It is safe for concurrent use.
type faults struct {
	mu   sync.Mutex
	list []error
}

// keep adds an error if it is a fault, and reports whether it is.
func (f *faults) keep(err error) bool {
	if !files.Fault(err) {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, err)
	return true
}

func (f *faults) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.list...)
}

// Choice limits a session to some cells.
type Choice struct {
	Only  []string              // globs on cells, each for some; none for all
	Cells func(*plan.Cell) bool // accepts cells; nil for all
	Retry bool                  // run failed units again
	Fresh bool                  // read data and run all units again: Begin removes what is stored of them
	// CannotRun returns why a unit cannot run here, whose cell failures: {unsuitable: skip} leaves out then; nil: all can.
	CannotRun func(*execute.Unit) error
}

// Open plans an experiment against what its run's folder holds. It calls warn for harmless problems and writes nothing.
func Open(ctx context.Context, f *experiment.File, places Places, choice Choice, warn func(error)) (*Session, error) {
	s := &Session{Dir: places.Run, chosen: map[*plan.Cell]bool{}, fresh: choice.Fresh, faults: new(faults), watch: new(files.Watch), code: declaration.WatchCode(f.Methods)}
	known := func(err error) {
		if !s.faults.keep(err) {
			warn(err)
		}
	}
	stored, err := journal.Open(places.Run)
	if err != nil {
		return nil, err
	}
	stored.Warn = known
	s.store = store{Journal: stored, warn: warn}
	s.Before = sync.OnceValue(func() *plan.Frozen {
		before, err := plan.ReadFrozen(places.Run)
		if err != nil {
			known(fmt.Errorf("the plan of the earlier run is not readable, so reasons are not known: %w", err))
		}
		return before
	})
	s.folders = files.Folders{Data: places.Data, Spec: filepath.Dir(f.Path), Memory: places.Memory}
	env := plan.Env{
		Cache:   compiled.Cache{Dir: places.Cache, Anew: choice.Fresh, Warn: warn, Watch: s.watch, Memory: places.Memory, Swept: new(sync.Once)},
		Folders: s.folders,
		Store:   s.store,
		Memory:  places.MemoryLimit,
	}
	if s.Plan, err = plan.Build(ctx, f, env); err != nil {
		return nil, err
	}
	_, s.store.old = s.findUndeclared()
	for u := range s.All {
		if _, is := s.store.old[u.Label.Unit]; is {
			u.Look(s.store)
		}
	}
	if choice.Fresh {
		for u := range s.All {
			u.Stored = nil
		}
	}
	if choice.CannotRun != nil {
		s.SkipCells(choice.CannotRun)
	}
	for _, c := range s.Cells {
		s.chosen[c] = len(choice.Only) == 0 && (choice.Cells == nil || choice.Cells(c))
	}
	for _, glob := range choice.Only {
		any := false
		for _, c := range s.Cells {
			ok, err := Matches(glob, c)
			if err != nil {
				return nil, fmt.Errorf("--only %s: %w", glob, err)
			}
			any = any || ok
			s.chosen[c] = s.chosen[c] || ok && (choice.Cells == nil || choice.Cells(c))
		}
		if !any {
			return nil, fmt.Errorf("--only %s: %s", glob, cmp.Or(s.WhySkipped(glob), "no cell matches; cells are named as in "+cellName(s.Cells[0])))
		}
	}
	s.Stages, s.Todo = s.Decide(s.Before, s.store, choice.Retry, func(c *plan.Cell) bool { return s.chosen[c] })
	ran := sync.OnceValue(s.unitsOfResults)
	for _, u := range s.Todo {
		if u.Reason == plan.Gone && !ran()[u.Label.Unit] {
			u.Reason = plan.NotRun
		}
	}
	warned := map[string]bool{}
	for _, u := range s.Todo {
		if was, is := s.store.old[u.Label.Unit]; is {
			if u.Reason = was.why; !warned[was.why] {
				warn(fmt.Errorf("%s: %s: fits that were stored before are not used", f.Path, was.why))
			}
			warned[was.why] = true
		}
	}
	return s, s.Fault()
}

// Fault returns the errors of the system for which what is stored is not known; nil if there are none.
func (s *Session) Fault() error { return s.faults.err() }

// DataFiles returns the paths of the files and folders of all data sets, as far as they are there.
func (s *Session) DataFiles() (paths []string) {
	for i := range s.File.Datasets {
		paths = append(paths, s.folders.Paths(s.File.Datasets[i].NamedFiles())...)
	}
	return paths
}

// WhySkipped says why the plan lacks a cell of the file; glob matches data set/algorithm, and the first match counts. It returns ""
// if there is none.
func (s *Session) WhySkipped(glob string) string {
	for _, skip := range s.Skipped {
		name := skip.Dataset + "/" + skip.Algorithm
		if ok, err := path.Match(glob, name); ok && err == nil {
			return fmt.Sprintf("%s is skipped: %s", name, skip.Why)
		}
	}
	return ""
}

// cellName returns the name that globs are matched with first.
func cellName(c *plan.Cell) string { return c.Set.Name + "/" + c.Algorithm.Name }

// Matches reports whether a glob matches a cell: its algorithm, data set, or data set/algorithm; a coordinate of its grid point, alone
// (epsilon=0.1) or behind algorithm or data set/algorithm; or whether it is a prefix of its key, of six digits or more. For a task, the
// data set may be its family, family/task, or task.
func Matches(glob string, c *plan.Cell) (bool, error) {
	if glob == "" {
		return true, nil
	}
	sets := []string{c.Set.Name}
	if c.Set.Task != "" {
		sets = append(sets, c.Set.Family(), c.Set.Task)
	}
	names := append([]string{c.Algorithm.Name}, sets...)
	for _, set := range sets {
		names = append(names, set+"/"+c.Algorithm.Name)
	}
	for _, p := range c.Units[0].Label.Grid {
		point := fmt.Sprintf("%s=%v", p.Name, p.Value)
		names = append(names, point, c.Algorithm.Name+"/"+point)
		for _, set := range sets {
			names = append(names, set+"/"+c.Algorithm.Name+"/"+point)
		}
	}
	if len(glob) >= 6 && strings.HasPrefix(c.Key, glob) || c.Set.Task != "" && algorithm.Pattern(c.Set.Task)(glob) {
		return true, nil
	}
	for _, n := range names {
		ok, err := path.Match(glob, n)
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// Begin makes the run's folder if needed and writes the plan into it. It removes the stored outcomes of units that run again because
// the session is fresh, and the results of works on their folds, so that none of them counts, whatever becomes of the run.
func (s *Session) Begin(frozen *plan.Frozen) error {
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return err
	}
	if s.fresh {
		for _, u := range slices.Concat(s.Stages, s.Todo) {
			if err := s.store.Remove(u.Label.Unit); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if err := s.store.RemoveInner(execute.InnerPart(u.Label.DatasetDigest, u.Label.FoldDigest)); err != nil {
				return err
			}
		}
	}
	return frozen.Write(s.Dir)
}

// Unchanged returns an error if the data, or the code of methods, changed since the session was opened.
func (s *Session) Unchanged() error { return cmp.Or(s.watch.Unchanged(), s.code.Unchanged()) }

// Run executes what is missing. Outcomes are stored as they come.
func (s *Session) Run(ctx context.Context, opt execute.Options) error {
	var units []*execute.Unit
	ran := map[string]bool{} // by key, which other cells may share
	for _, u := range slices.Concat(s.Stages, s.Todo) {
		units = append(units, &u.Unit)
		ran[u.Label.Unit] = true
	}
	var mu sync.Mutex
	var unreadable []error // deferred, because progress is shown meanwhile
	running := s.store
	running.warn = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		unreadable = append(unreadable, err)
	}
	if after := s.File.Deadline; after > 0 {
		opt.Deadline = execute.Deadline{Time: time.Now().Add(after), After: after}
	}
	opt.CheckData, opt.Inner = s.Unchanged, running.Journal
	opt.Revisions, opt.RevisionsOfAll = s.File.Revisions()
	err := execute.Run(ctx, units, running, opt)
	for _, err := range unreadable {
		s.store.warn(err)
	}
	for u := range s.All {
		if ran[u.Label.Unit] {
			u.Look(s.store)
		}
	}
	return errors.Join(err, s.Fault())
}

// Rows iterates over all stored outcomes in the order of the plan, with the plan's labels. It ends with an error if one cannot be read.
func (s *Session) Rows(yield func(*results.Row, error) bool) {
	for _, c := range s.Cells {
		for _, u := range c.Units {
			o, ok, err := s.store.Get(u.Label.Unit)
			if u.Stored = nil; err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				continue
			}
			head := o.Head()
			u.Stored = &head
			for _, name := range s.File.Metrics {
				o.Scores = append(o.Scores, s.File.Defined.Derive(name, o)...)
			}
			if !yield(&results.Row{Label: u.Label, Outcome: *o}, nil) {
				return
			}
		}
	}
}

// StageRows returns the stored outcomes of the stages that the chosen cells build on, without what they left for these.
func (s *Session) StageRows() (rows []*results.Row) {
	seen := map[*plan.Cell]bool{}
	var visit func(*plan.Cell)
	visit = func(c *plan.Cell) {
		for _, stage := range c.After {
			if seen[stage] {
				continue
			}
			seen[stage] = true
			visit(stage)
			for _, u := range stage.Units {
				o, ok, err := s.store.Get(u.Label.Unit)
				if s.faults.keep(err); ok {
					o.Artefact = nil
					rows = append(rows, &results.Row{Label: u.Label, Outcome: *o})
				}
			}
		}
	}
	for _, c := range s.Cells {
		if s.chosen[c] {
			visit(c)
		}
	}
	return rows
}

// Clusterings returns the clusterings that stages found.
func (s *Session) Clusterings() ([]results.Clustering, error) { return s.Plan.Clusterings(s.store) }

// Chosen reports whether the session includes a cell.
func (s *Session) Chosen(c *plan.Cell) bool { return s.chosen[c] }

// Tally counts the units of the chosen cells by their state.
type Tally struct{ Units, Cells, OK, Failed, Missing int }

// Tally counts what was stored at the last look: when the session was opened, after Run, or by Rows.
func (s *Session) Tally() Tally {
	var t Tally
	for _, c := range s.Cells {
		if !s.chosen[c] {
			continue
		}
		t.Cells++
		for _, u := range c.Units {
			t.Units++
			switch {
			case u.Stored == nil:
				t.Missing++
			case u.Stored.Status == results.OK:
				t.OK++
			default:
				t.Failed++
			}
		}
	}
	return t
}
