// Package method makes engines from programs: any command that reads an exchange folder and answers in it. What a user declares is in
// declaration, what passes between the two in exchange, and how programs run in process; here a declaration becomes a kind of engine
// like any other. Each fit is a process of its own, which gets the training rows, and gets rows to predict only after it has returned
// its selection. Engine.Fit is the place to begin.
package method

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"reflect"
	"slices"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/registry"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
	"tenfold/runner/method/process"
)

// Engine runs a declared method. It is a value like other engines: each fit has a folder and, without reuse, a process of its own.
type Engine struct {
	Params      any `yaml:",inline"` // a struct of the declared parameters
	declaration *declaration.Declaration
	host        *Host
}

// Declaration returns the declaration of the engine's method.
func (e Engine) Declaration() *declaration.Declaration { return e.declaration }

// Validate always returns nil: parameters have the types of their defaults, and only the method knows which values are valid.
func (e Engine) Validate() error { return nil }

// Words returns the values of the parameters that are words, or yes or no, by place.
func (e Engine) Words() map[int]any {
	words := map[int]any{}
	for i := range e.declaration.Params {
		switch v := reflect.ValueOf(e.Params).Field(i).Interface().(type) {
		case string, bool:
			words[i] = v
		}
	}
	return words
}

// Identity returns the identity of the method and the values of the parameters; false if the method was not looked at.
func (e Engine) Identity() (string, bool) {
	params, ok := registry.Revisions(nil).Identity(e.Params)
	return string(e.declaration.Known.JSON()) + params, ok && len(e.declaration.Known.Command) > 0
}

// Needs returns the requirements of the method.
func (e Engine) Needs() engines.Needs { return needs(e.declaration) }

// Fit runs the method on the training rows. The model predicts by coefficients, or by asking the method; engines.Close ends the
// process of the latter.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if !e.declaration.Predicts() {
		return nil, fmt.Errorf("method %s selects, and does not predict: it stands in select", e.declaration.Name)
	}
	f, err := e.fit(ctx, run)
	if err != nil {
		return nil, err
	}
	if !e.declaration.Gives(declaration.Predictions) {
		f.close()
		return engines.NewLinear(f.expected.Columns, f.bias, f.coefs, f.fitted), nil
	}
	return &Model{f, f.columns()}, nil
}

// Choose runs the method for the columns that it selects.
func (e Engine) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	f, err := e.fit(ctx, run)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	f.close()
	chosen := f.columns()
	slices.SortStableFunc(chosen, func(a, b engines.Coef) int { return a.Feature - b.Feature }) // a column selected for several outputs keeps the first
	chosen = slices.CompactFunc(chosen, func(a, b engines.Coef) bool { return a.Feature == b.Feature })
	for i := range chosen {
		chosen[i].Value = 0
	}
	return chosen, f.fitted, nil
}

// fit is a finished fit: its folder, the process that has the model, and what it reported.
type fit struct {
	engine  Engine
	host    *Host
	folder  *exchange.Folder // with its model; nil for none
	input   *exchange.Folder // with the training rows
	train   *data.View
	shared  *sharedFiles
	process *process.Process // nil if none is waiting
	failed  bool
	workers int
	ctx     context.Context
	memory  int64
	charge  func(float64)
	opened  func(data.Fact)

	kept     *keptModel // for a model from a file, whose folder is made when it first predicts
	features *data.Features

	expected exchange.Expected
	request  exchange.Request
	report   exchange.Report
	fitted   engines.Fitted
	coefs    []engines.Coef
	bias     []float64
}

// disputed is the error of a fit whose input was changed, by itself or by another one that had links to the same files.
type disputed struct{ error }

// fit runs the method on the training rows. If files that others have, too, were changed meanwhile, it runs it once more, on copies.
func (e Engine) fit(ctx context.Context, run engines.Run) (*fit, error) {
	d := e.declaration
	if run.Train.Targets() > 1 && !d.Tasks {
		return nil, fmt.Errorf("method %s takes one response, the data set has %d (tasks: true declares one that takes several)", d.Name, run.Train.Targets())
	}
	if d.Transductive && run.Watch == nil {
		return nil, fmt.Errorf("method %s gets the test rows before it fits, and there are none inside the training rows: it cannot be tuned", d.Name)
	}
	if d.About != "" {
		run.Say("method", d.About)
	}
	train := run.Train
	if !d.Tasks {
		train, _ = train.Defined(0)
	}
	seed := run.Rand.Uint64()
	f, err := e.fitRows(ctx, run, train, seed)
	if errors.As(err, new(disputed)) {
		f, err = e.fitRows(ctx, run, train, seed)
	}
	return f, disturbed(err)
}

// fitRows runs the method once.
func (e Engine) fitRows(ctx context.Context, run engines.Run, train *data.View, seed uint64) (_ *fit, err error) {
	d := e.declaration
	shared, err := e.host.training(d, train)
	if err != nil {
		return nil, err
	}
	f := &fit{engine: e, host: e.host, train: train, shared: shared, workers: run.Workers, ctx: ctx, memory: run.Memory, charge: run.Charge, opened: run.Opened}
	f.expected = exchange.Expect(d, train)
	defer func() {
		if err != nil {
			f.failed = true
			f.close()
		}
	}()
	limits := exchange.Limits{Bytes: run.Memory}
	if deadline, ok := ctx.Deadline(); ok {
		limits.Seconds = math.Round(time.Until(deadline).Seconds()*1e3) / 1e3
	}
	if f.request, err = exchange.NewRequest(d, e.Params, train); err != nil {
		return nil, err
	}
	f.request.Seed, f.request.Workers, f.request.Limits, f.request.Files = fmt.Sprint(seed), max(1, run.Workers), limits, shared.files
	f.request.Model = e.leavesModel()
	if d.Reuses() {
		err = f.fitShared(f.request)
	} else {
		err = f.fitAlone(f.request, run.Watch)
	}
	if err = f.checkInput(err, f.input, shared.files.Shared()...); err != nil {
		return nil, err
	}
	if d.Reuses() {
		f.host.give(f.shared, f.process)
		f.process = nil
	}
	f.fitted = f.reported()
	return f, nil
}

// leavesModel reports whether fits leave files from which another process predicts.
func (e Engine) leavesModel() bool {
	d := e.declaration
	return d.Gives(declaration.Predictions) && (d.Style == declaration.StyleCalls || d.Reuses() || e.host.Keep)
}

// checkInput returns the error of a fit or prediction, if it has one, or else of what it has done to its input, the files of some
// names in a folder. Where both may be due to another fit the error is disputed, and later fits get new files.
func (f *fit) checkInput(failed error, in *exchange.Folder, names ...string) error {
	var changed error
	switch {
	case failed == nil:
		changed = f.shared.check(in.Folder, names...)
	case f.shared.linked && f.ctx.Err() == nil:
		changed = f.shared.checkOriginals()
	}
	switch {
	case changed == nil:
		return failed
	case f.shared.linked:
		f.host.discard(f.shared)
		return disputed{f.named(changed)}
	}
	return f.named(changed)
}

// named adds the name of the method to an error, which may be nil.
func (f *fit) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("method %s: %w", f.engine.declaration.Name, err)
}

// fitAlone fits in a process and a folder of its own. watch holds the test rows for a transductive method.
func (f *fit) fitAlone(r exchange.Request, watch *data.View) (err error) {
	d := f.engine.declaration
	if f.folder, err = f.host.NewFolder(d.Name); err != nil {
		return err
	}
	f.input = f.folder
	if err := f.host.handOver(f.shared, f.folder, f.shared.files.Shared()...); err != nil {
		return err
	}
	if d.Transductive {
		r.Files.Test = exchange.MatrixFile(d, exchange.TestName, watch.Matrix())
		if err := f.folder.WriteMatrix(r.Files.Test, exchange.FileMode, watch.Matrix()); err != nil {
			return err
		}
	}
	if err := f.folder.WriteJSON(exchange.RequestFile, r); err != nil {
		return err
	}
	p, err := f.host.Start(d, f.folder, f.workers, f.expected.MaxJSON(), f.folder.Path)
	if err != nil {
		return err
	}
	if d.Style == declaration.StyleCalls {
		p.CloseInput()
	}
	f.process = p
	answer, err := f.ask("", exchange.FittedLine)
	if err != nil {
		return err
	}
	if f.report, f.coefs, f.bias, err = exchange.ReadReport(f.folder.Folder, answer.Rest(), f.expected); err != nil {
		return p.Explain(err)
	}
	if f.process != nil && !d.Gives(declaration.Predictions) {
		f.process = nil
		p.End()
	}
	return nil
}

// fitShared fits in a process that has fitted on the same rows before, or in a new one that waits for more fits on these. The
// request is in the line that asks for it, and the folder is the process's. Another process predicts, in the folder of the fit's
// model, so that the fitting process sees only the training rows of this fold.
func (f *fit) fitShared(r exchange.Request) error {
	d := f.engine.declaration
	p := f.host.take(f.shared)
	if p == nil {
		folder, err := f.host.NewFolder(d.Name)
		if err != nil {
			return err
		}
		err = f.host.handOver(f.shared, folder, f.shared.files.Shared()...)
		if err == nil {
			p, err = f.host.Start(d, folder, f.workers, f.expected.MaxJSON())
		}
		if err != nil {
			f.host.Remove(folder)
			return err
		}
		p.TakeFolder()
	}
	f.process, f.input = p, p.Folder
	r.Folder = p.Folder.Path
	line, err := json.Marshal(r)
	if err == nil {
		err = p.Folder.ClearAnswers()
	}
	if err != nil {
		return f.named(err)
	}
	answer, err := f.ask("fit "+string(line), exchange.FittedLine)
	if err != nil {
		return err
	}
	if answer == nil {
		return p.Explain(errors.New("the process ended in place of waiting for more fits, as reuse: fold says it does"))
	}
	if f.report, f.coefs, f.bias, err = exchange.ReadReport(p.Folder.Folder, answer.Rest(), f.expected); err != nil {
		return p.Explain(err)
	}
	if d.Gives(declaration.Predictions) {
		if err := f.takeModel(p.Folder); err != nil {
			return p.Explain(err)
		}
	}
	return nil
}

// takeModel moves the model from the folder of a process that fits again to a folder of its own.
func (f *fit) takeModel(from *exchange.Folder) (err error) {
	if f.folder, err = f.host.NewFolder(f.engine.declaration.Name); err != nil {
		return err
	}
	if err = from.CheckFolder(exchange.ModelFolder); err == nil {
		err = f.host.Between(from.Path, f.folder.Path, exchange.ModelFolder, (*os.Root).Rename)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s in its answer: with reuse: fold another process predicts, from what the fit leaves there", exchange.ModelFolder)
	}
	return err
}

// ask sends a line to the process, adds its processor time, and reports the undeclared files that it opened. It returns nil if the
// process ended well without an answer.
func (f *fit) ask(line, word string) (answer *process.Answer, err error) {
	p := f.process
	answer, err = p.Ask(f.ctx, line, word, f.watch)
	p.ReportOpened(f.opened)
	f.count(p.SpentSince())
	if answer == nil {
		f.process = nil
	}
	return answer, err
}

// count adds processor seconds to those of the fit.
func (f *fit) count(seconds float64) {
	if f.charge != nil {
		f.charge(seconds)
	}
}

// watch returns an error if the processes of the method exceed its memory.
func (f *fit) watch() error {
	if f.memory <= 0 || f.process == nil {
		return nil
	}
	if held := f.process.Memory(f.memory); held > f.memory {
		return fmt.Errorf("it holds %.4g MiB, the limit is %.4g MiB", float64(held)/(1<<20), float64(f.memory)/(1<<20))
	}
	return nil
}

// close ends the process that has the model, and removes the folder.
func (f *fit) close() {
	if f.process != nil {
		f.process.End()
		f.count(f.process.SpentSince())
		f.process = nil
	}
	switch {
	case f.folder == nil:
	case f.failed:
		f.folder.Close()
		os.RemoveAll(f.folder.Path) // at once: if it has filled the disk, storing the outcome needs the room
	default:
		f.host.Remove(f.folder)
	}
	f.folder = nil
}

// reported returns what the method reported, in the form of engines.
func (f *fit) reported() engines.Fitted {
	d := f.engine.declaration
	out := engines.Fitted{Stop: f.report.Stop, Iterations: f.report.Iterations, Best: -1, Notes: f.report.Notes, Optimistic: d.Transductive, Probabilities: d.Gives(declaration.Probabilities)}
	if f.report.Probabilities != nil && d.Gives(declaration.Predictions) {
		out.Probabilities = *f.report.Probabilities
	}
	if b := f.report.Baseline; b != nil {
		out.Baseline = &survival.Baseline{Time: exact.Floats(b.Time), Hazard: exact.Floats(b.Hazard)}
	}
	if !d.Deterministic {
		out.Notes = append(slices.Clone(out.Notes), fmt.Sprintf(engines.NotRepeatable+": the declaration of %s says deterministic: false", d.Name))
	}
	names := make([]string, 0, len(f.report.Facts))
	for name := range f.report.Facts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out.Facts = append(out.Facts, data.Fact{Name: name, Value: f.report.Facts[name]})
	}
	return out
}

// columns returns the coefficients or, if there are none, the selected columns without values, sorted by column.
func (f *fit) columns() []engines.Coef {
	if f.coefs != nil {
		return slices.Clone(f.coefs)
	}
	selected := f.report.Selected
	if selected == nil { // no selection was reported: the model may use all columns
		selected = make([]int, f.expected.Columns)
		for j := range selected {
			selected[j] = j
		}
	}
	out := make([]engines.Coef, len(selected))
	for k, j := range selected {
		out[k] = engines.Coef{Feature: j, Value: math.NaN(), Rank: k}
		if f.report.Selected == nil {
			out[k].Rank = -1
		}
		if f.report.Scores != nil {
			out[k].Score = f.report.Scores[k]
		}
	}
	slices.SortFunc(out, func(a, b engines.Coef) int { return a.Feature - b.Feature })
	return out
}

// disturbed marks an error of the system as one that says nothing about the method.
func disturbed(err error) error {
	if errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError)) || errors.As(err, new(*os.SyscallError)) {
		return engines.Disturbance{Err: err}
	}
	return err
}
