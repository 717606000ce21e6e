package method

import (
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
	"tenfold/runner/method/process"
)

// Model is a fitted method that predicts by itself.
type Model struct {
	fit   *fit
	coefs []engines.Coef
}

// Outputs returns the number of outputs of the targets.
func (m *Model) Outputs() int { return m.fit.expected.Outputs() }

// Coefs returns the method's coefficients, or the columns that it selected, without values (NaN).
func (m *Model) Coefs() []engines.Coef { return m.coefs }

// Fitted returns what the method reported about its fit.
func (m *Model) Fitted() engines.Fitted { return m.fit.fitted }

// Uses returns all columns: it is unknown which ones a program's predictions depend on.
func (m *Model) Uses() []int32 {
	out := make([]int32, m.fit.expected.Columns)
	for j := range out {
		out[j] = int32(j)
	}
	return out
}

// Close ends the method's process and removes its folder. The model cannot predict afterwards.
func (m *Model) Close() { m.fit.close() }

// Predict passes the rows to the method. It panics with an engines.PredictionError if the method fails.
func (m *Model) Predict(dst []float64, in data.Inputs) {
	if err := m.fit.predict(dst, in); err != nil {
		m.fit.failed = true
		panic(engines.PredictionError{Err: err})
	}
}

func (f *fit) predict(dst []float64, in data.Inputs) error {
	d := f.engine.declaration
	switch {
	case f.folder == nil && f.kept == nil:
		return fmt.Errorf("method %s: its model is closed", d.Name)
	case f.folder == nil:
		if err := f.open(); err != nil {
			return err
		}
	}
	if x := in.Matrix(); f.train == nil || x != f.train.Matrix() {
		name := exchange.MatrixFile(d, exchange.TestName, x)
		if err := f.folder.WriteMatrix(name, exchange.FileMode, x); err != nil {
			return f.named(err)
		}
		return f.predictFile(dst, name, in.Len())
	}
	return f.predictTraining(dst)
}

// predictTraining predicts the training rows.
func (f *fit) predictTraining(dst []float64) error {
	d, name := f.engine.declaration, f.shared.files.Train
	err := f.named(f.host.handOver(f.shared, f.folder, name))
	if err == nil {
		err = f.predictFile(dst, name, f.train.Len())
	}
	if err = f.checkInput(err, f.folder, name); !errors.As(err, new(disputed)) {
		return err
	}
	if f.process == nil && d.Style != declaration.StyleCalls && !d.Reuses() {
		return engines.Disturbance{Err: err}
	}
	if f.shared, err = f.host.training(d, f.train); err == nil {
		err = f.folder.Remove(name)
	}
	if err != nil {
		return f.named(err)
	}
	return f.predictTraining(dst)
}

// predictFile predicts the rows of a file in the folder.
func (f *fit) predictFile(dst []float64, name string, rows int) error {
	if err := f.folder.ClearArray(exchange.AnswerName); err != nil { // the answer for earlier rows
		return f.named(err)
	}
	p, err := f.askPredictions(name)
	if err != nil {
		return err
	}
	if err := exchange.ReadPredictions(dst, f.folder.Folder, rows, f.expected, f.fitted.Probabilities); err != nil {
		return p.Explain(err)
	}
	return nil
}

// askPredictions asks a process to predict the rows of a file, and returns the process: the one that fitted or, if fits share a
// process, another one, which reads the model from its folder, so that no process that has seen test rows fits again.
func (f *fit) askPredictions(name string) (p *process.Process, err error) {
	d := f.engine.declaration
	switch {
	case d.Style == declaration.StyleCalls, f.kept != nil:
		if f.process, err = f.host.Start(d, f.folder, f.workers, 0, "predict", f.folder.Path, name); err != nil {
			return nil, err
		}
		p = f.process
		p.CloseInput()
		if _, err = f.ask("", exchange.PredictedLine); err == nil {
			p.End()
			f.count(p.SpentSince())
		}
		f.process = nil
		return p, err
	case f.process == nil && d.Reuses():
		if f.process, err = f.host.Start(d, f.folder, f.workers, 0); err != nil {
			return nil, err
		}
	case f.process == nil:
		return nil, fmt.Errorf("method %s: its process ended after the fit, and predictions were to come: it waits for lines on standard input, or its style is calls", d.Name)
	}
	p = f.process
	_, err = f.ask(fmt.Sprintf("predict %s %s", name, f.folder.Path), exchange.PredictedLine)
	return p, err
}
