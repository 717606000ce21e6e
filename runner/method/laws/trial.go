package laws

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/io/files"
	"tenfold/runner/method"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
)

// checker holds what the trials of a method share.
type checker struct {
	ctx     context.Context
	method  *declaration.Declaration
	options Options
	scratch string
	host    *method.Host
	watch   *watch
	system  error                 // first error of this machine, not of the method
	opened  map[string]*openCount // by the settings of parameters
}

func newChecker(ctx context.Context, d *declaration.Declaration, o Options) (*checker, error) {
	scratch, err := process.Temporary("laws")
	if err != nil {
		return nil, err
	}
	c := &checker{ctx: ctx, method: d, options: o, scratch: scratch, watch: &watch{before: map[string]map[string]string{}}, opened: map[string]*openCount{}}
	c.host = c.newHost("exchange", c.watch)
	return c, nil
}

// openCount counts fits with the same settings, and those of them that opened a file that the code does not name.
type openCount struct {
	fits   int
	opened map[string]int // by path
}

// countOpened adds a fit and the files that it opened.
func (c *checker) countOpened(w way, files map[string]bool) {
	settings := fmt.Sprint(w.set)
	if c.opened[settings] == nil {
		c.opened[settings] = &openCount{opened: map[string]int{}}
	}
	c.opened[settings].fits++
	for file := range files {
		c.opened[settings].opened[file]++
	}
}

// undeclared returns the files that every fit with some settings opened, though the code does not name them: others may have been
// opened by another program.
func (c *checker) undeclared() (files []string) {
	for _, count := range c.opened {
		for file, n := range count.opened {
			if n == count.fits {
				files = append(files, file)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// newHost returns a host with its exchange folders below the scratch folder.
func (c *checker) newHost(folder string, w *watch) *method.Host {
	return &method.Host{Programs: process.Programs{Folder: filepath.Join(c.scratch, folder), Grace: c.options.Grace, Watcher: w}}
}

func (c *checker) close() {
	c.host.Close()
	os.RemoveAll(c.scratch)
}

// watch collects what processes did beside answering.
type watch struct {
	mu      sync.Mutex
	before  map[string]map[string]string // by folder, digests of the files that the method was given
	ends    []process.End
	changed string // a file given to a method that was changed afterwards
	begun   chan struct{}
}

func (w *watch) Starts(folder string) {
	given := digests(folder)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before[folder] = given
	if w.begun != nil {
		close(w.begun)
		w.begun = nil
	}
}

func (w *watch) Ended(e process.End) {
	after := digests(e.Folder)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ends = append(w.ends, e)
	for name, sum := range w.before[e.Folder] {
		if is, there := after[name]; there && is != sum && (w.changed == "" || name < w.changed) {
			w.changed = name
		}
	}
	delete(w.before, e.Folder)
}

// mostInput is the size in bytes of the files that are compared.
const mostInput = 1 << 30

// digests returns the digests of the files of training rows and requests that a process gets, those in its folder and the shared
// ones beside it, as far as they still exist.
func digests(folder string) map[string]string {
	out := map[string]string{}
	for _, pattern := range []string{filepath.Join(folder, "*"), filepath.Join(filepath.Dir(folder), "rows-*", "*")} {
		found, _ := filepath.Glob(pattern) // cannot fail: tenfold names the folders
		for _, path := range found {
			name := filepath.Base(path)
			stem := name[:len(name)-len(filepath.Ext(name))]
			if !slices.Contains([]string{"train", "y", "weights", "groups", "classes", "features", "request"}, stem) {
				continue
			}
			if content, err := files.ReadRegular(path, mostInput); err == nil { // a method may have put a pipe there
				sum := sha256.Sum256(content)
				if pattern := filepath.Dir(path); pattern != folder {
					name = filepath.Join("..", filepath.Base(pattern), name)
				}
				out[name] = string(sum[:])
			}
		}
	}
	return out
}

// trial tries a method on data with one type of response.
type trial struct {
	*checker
	response data.Type
	rows     table
	plain    sample
	first    answer
	took     time.Duration
	answered bool // first is set
	varies   bool // the same request has several answers
	drawn    bool // the answer depends on the seed
}

// declares reports whether an output is declared.
func (c *checker) declares(output string) bool { return slices.Contains(c.method.Output, output) }

// answersRows reports whether the method itself predicts rows, not tenfold by its coefficients.
func (c *checker) answersRows() bool {
	return c.declares(declaration.Predictions) || c.declares(declaration.Probabilities)
}

// answer holds the results of a fit.
type answer struct {
	coefs         []engines.Coef
	predictions   []float64   // for test rows; nil if the method only selects
	earlier       [][]float64 // for the rows of way.earlier
	outputs       int
	probabilities bool
}

// way holds the deviations of a fit from the usual request.
type way struct {
	host    *method.Host
	method  *declaration.Declaration
	seed    uint64
	workers int
	ctx     context.Context
	set     map[int]any  // parameters by place
	earlier []*data.View // rows that the model predicts before the test rows
}

// usualLimit is the usual time limit of a fit.
const usualLimit = 2 * time.Minute

// fit fits a sample and predicts its test rows.
func (c *checker) fit(s sample, w way) (a answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			failed, ok := p.(engines.PredictionError)
			if !ok {
				panic(p)
			}
			err = failed.Err
		}
	}()
	if w.host == nil {
		w.host = c.host
	}
	if w.method == nil {
		w.method = c.method
	}
	if w.ctx == nil {
		w.ctx = c.ctx
	}
	limit := c.options.Limit
	if limit <= 0 {
		limit = usualLimit
	}
	ctx, cancel := context.WithTimeoutCause(w.ctx, limit, fmt.Errorf("no answer after %v", limit))
	defer cancel()
	w.ctx = ctx
	made, err := w.host.Kind(w.method).New(func(ptr any) error {
		for i, v := range w.set {
			reflect.ValueOf(ptr).Elem().Field(i).Set(reflect.ValueOf(v))
		}
		return nil
	})
	if err != nil {
		return a, err
	}
	run := engines.Run{Train: s.train, Rand: rand.New(rand.NewPCG(w.seed, 1)), Workers: max(1, w.workers)}
	if w.method.Transductive {
		run.Watch = s.test
	}
	opened := map[string]bool{}
	run.Opened = func(f data.Fact) {
		if _, file, is := process.ReadOpened(f); is {
			opened[file] = true
		}
	}
	defer func() {
		if err == nil {
			c.countOpened(w, opened)
		}
	}()
	e := made.(method.Engine)
	if !w.method.Predicts() {
		a.coefs, _, err = e.Choose(w.ctx, run)
		return a, err
	}
	m, err := e.Fit(w.ctx, run)
	if err != nil {
		return a, err
	}
	defer engines.Close(m)
	a.outputs = m.Outputs()
	a.coefs = m.Coefs()
	for _, rows := range w.earlier {
		a.earlier = append(a.earlier, predict(m, rows))
	}
	a.predictions = predict(m, s.test)
	if r, ok := m.(engines.Reporter); ok {
		a.probabilities = r.Fitted().Probabilities
	}
	return a, nil
}

func predict(m engines.Model, rows *data.View) []float64 {
	out := make([]float64, rows.Len()*m.Outputs())
	m.Predict(out, rows.Inputs())
	return out
}

// difference describes the difference of two answers, "" if they are equal to the last bit.
func difference(a, b answer) string {
	if len(a.coefs) != len(b.coefs) {
		return fmt.Sprintf("%d coefficients or selected columns, then %d", len(a.coefs), len(b.coefs))
	}
	same := func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	for i, x := range a.coefs {
		y := b.coefs[i]
		switch {
		case x.Feature != y.Feature || x.Output != y.Output:
			return fmt.Sprintf("column %d, then column %d", x.Feature, y.Feature)
		case x.Rank != y.Rank:
			return fmt.Sprintf("column %d entered at place %d, then at place %d", x.Feature, x.Rank, y.Rank)
		case !same(x.Value, y.Value):
			return fmt.Sprintf("coefficient %v of column %d, then %v", x.Value, x.Feature, y.Value)
		case !same(x.Score, y.Score):
			return fmt.Sprintf("score %v of column %d, then %v", x.Score, x.Feature, y.Score)
		}
	}
	for i, x := range a.predictions {
		if !same(x, b.predictions[i]) {
			return fmt.Sprintf("prediction %v of test row %d, then %v", x, i/max(1, a.outputs), b.predictions[i])
		}
	}
	return ""
}

// apart returns the largest difference of predictions, as a share of their spread.
func apart(a, b answer) float64 {
	was, is := a.compared(a.predictions), b.compared(b.predictions)
	far := 0.0
	for i := range was {
		far = max(far, math.Abs(was[i]-is[i]))
	}
	return share(far, was)
}

// compared returns predictions in the form in which they are compared: log-probabilities as probabilities.
func (a answer) compared(predictions []float64) []float64 {
	if !a.probabilities {
		return predictions
	}
	out := make([]float64, len(predictions))
	for i, p := range predictions {
		out[i] = elementary.Exp(p)
	}
	return out
}

// share returns a difference as a share of the spread of predictions.
func share(difference float64, predictions []float64) float64 {
	if difference == 0 {
		return 0
	}
	return difference / max(slices.Max(predictions)-slices.Min(predictions), math.SmallestNonzeroFloat64)
}

// selected returns the selected columns as a sorted set.
func (a answer) selected() []int {
	var out []int
	for _, c := range a.coefs {
		out = append(out, c.Feature)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
