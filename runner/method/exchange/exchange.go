// Package exchange writes and reads the files that pass between tenfold and a method in an exchange folder: the request, matrices and
// responses one way; the report of a fit, coefficients and predictions the other way. It checks all that comes back, since any program
// may have written it. It starts no program, and does not know when a file is due. Request and Report are the places to begin.
package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"reflect"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/files"
	"tenfold/io/formats/npz"
	"tenfold/runner/method/declaration"
)

// Names of files in an exchange folder.
const (
	RequestFile  = "request.json"
	fittedFile   = "fitted.json"
	AnswerName   = "predictions" // .npy, or .mtx
	coefName     = "coef"        // likewise
	FeaturesFile = "features.txt"
	responseName = "y"
	eventsName   = "events" // of times
	weightsName  = "weights"
	groupsName   = "groups"
	classesFile  = "classes.json"
	ModelFolder  = "model"
	trainName    = "train"
	TestName     = "test"
)

// Lines by which a method that reads standard input says that it has answered.
const (
	FittedLine    = "fitted"
	PredictedLine = "predicted"
)

// denseShare is the share of non-zero entries from which on a matrix is written with its zeros.
const denseShare = 0.3

// Request is request.json, which tells a method what to do.
type Request struct {
	Protocol     int             `json:"protocol"`
	Method       string          `json:"method"`
	Params       json.RawMessage `json:"params"`
	Seed         string          `json:"seed"` // an unsigned 64-bit number, as text: not every language can read it as a number
	Workers      int             `json:"workers"`
	Limits       Limits          `json:"limits"`
	Target       *requestTarget  `json:"target,omitempty"`
	Targets      []requestTarget `json:"targets,omitempty"` // for a method that accepts several responses
	Rows         int             `json:"rows"`
	Columns      int             `json:"columns"`
	Outputs      int             `json:"outputs"` // columns of predictions.npy and coef.npy
	Output       []string        `json:"output"`
	Files        RequestFiles    `json:"files"`
	Transductive bool            `json:"transductive,omitempty"`
	Model        bool            `json:"model,omitempty"`  // another process predicts, from the files that the fit leaves in the folder model
	Folder       string          `json:"folder,omitempty"` // where the files are, if the request is a line
}

type Limits struct {
	Seconds float64 `json:"seconds,omitempty"` // 0: none
	Bytes   int64   `json:"bytes,omitempty"`
}

type requestTarget struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"` // real, class or survival
	Levels []string `json:"levels,omitempty"`
}

// RequestFiles names the files beside the request; "" for one that does not exist.
type RequestFiles struct {
	Train    string `json:"train"`
	Test     string `json:"test,omitempty"` // for transductive methods only
	Response string `json:"y"`
	Events   string `json:"events,omitempty"` // for survival targets: 1 if the time ended in the event, 0 if it is censored
	Weights  string `json:"weights,omitempty"`
	Groups   string `json:"groups,omitempty"`
	Classes  string `json:"classes,omitempty"` // of columns
	Features string `json:"features"`
}

// featureClasses is classes.json.
type featureClasses struct {
	Names []string `json:"names"`
	Of    []int    `json:"of"` // class of each column, -1 for none
}

// outputsOf returns the number of outputs of all targets.
func outputsOf(targets []data.Target) int {
	n := 0
	for _, t := range targets {
		n += t.Outputs()
	}
	return n
}

func targetsOf(v *data.View) []data.Target {
	out := make([]data.Target, v.Targets())
	for t := range out {
		out[t] = v.TargetInfo(t)
	}
	return out
}

func inRequest(t data.Target) requestTarget {
	out := requestTarget{Name: t.Name, Type: declaration.TypeReal}
	switch t.Type {
	case data.Class:
		out.Type, out.Levels = declaration.TypeClass, t.Levels
	case data.Survival:
		out.Type = declaration.TypeSurvival
	}
	return out
}

// MatrixFile returns the name of a matrix file, with the format that suits the method and the matrix.
func MatrixFile(d *declaration.Declaration, name string, x *sparse.Matrix) string {
	rows, columns := x.Dims()
	switch {
	case d.Matrix == declaration.MatrixMarket:
		return name + ".mtx"
	case float64(x.NNZ()) > denseShare*float64(rows)*float64(columns):
		return name + ".npy"
	}
	return name + ".npz"
}

// WriteMatrix writes a matrix in the format of the file's extension.
func (x *Folder) WriteMatrix(name string, mode fs.FileMode, m *sparse.Matrix) error {
	return x.Write(name, mode, func(w io.Writer) error {
		switch path.Ext(name) {
		case ".mtx":
			return npz.WriteMatrixMarket(w, m)
		case ".npy":
			return npz.WriteDense(w, m)
		}
		return npz.WriteSparse(w, m)
	})
}

// WriteTraining writes the files that fits on the same rows share, and returns their names.
func WriteTraining(d *declaration.Declaration, x *Folder, train *data.View) (files RequestFiles, err error) {
	put := func(name string, write func(io.Writer) error) error { return x.Write(name, sharedMode, write) }
	array := func(name string) string {
		if d.Matrix == declaration.MatrixMarket {
			return name + ".mtx"
		}
		return name + ".npy"
	}
	files = RequestFiles{Train: MatrixFile(d, trainName, train.Matrix()), Response: array(responseName), Features: FeaturesFile}
	if err := x.WriteMatrix(files.Train, sharedMode, train.Matrix()); err != nil {
		return files, err
	}
	if err := put(files.Response, func(w io.Writer) error { return writeResponses(d, w, train) }); err != nil {
		return files, err
	}
	if !d.Tasks && train.TargetInfo(0).Type == data.Survival {
		files.Events = array(eventsName)
		events := make([]int64, train.Len())
		for i, e := range train.Events(0) {
			events[i] = int64(e)
		}
		if err := put(files.Events, func(w io.Writer) error { return writeIntegers(d, w, events) }); err != nil {
			return files, err
		}
	}
	if weights := train.Weights(); weights != nil {
		files.Weights = array(weightsName)
		if err := put(files.Weights, func(w io.Writer) error { return writeFloats(d, w, weights, len(weights), 1) }); err != nil {
			return files, err
		}
	}
	if groups := train.Groups(); groups != nil {
		files.Groups = array(groupsName)
		if err := put(files.Groups, func(w io.Writer) error { return writeIntegers(d, w, groups.Of) }); err != nil {
			return files, err
		}
	}
	features := train.Features()
	if features.HasClasses() {
		files.Classes = classesFile
		classes := featureClasses{Names: features.Classes(), Of: make([]int, features.Len())}
		for j := range classes.Of {
			classes.Of[j] = features.Class(j)
		}
		if err := put(classesFile, func(w io.Writer) error { return json.NewEncoder(w).Encode(classes) }); err != nil {
			return files, err
		}
	}
	return files, put(FeaturesFile, func(w io.Writer) error { return WriteNames(w, features) })
}

// WriteNames writes one name per line. Line feeds in names are written as \n, because line numbers are column numbers.
func WriteNames(w io.Writer, features *data.Features) error {
	out := bufio.NewWriterSize(w, 1<<16)
	for j := range features.Len() {
		name := features.Name(j)
		if strings.ContainsAny(name, "\n\r") {
			name = strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(name)
		}
		out.WriteString(name + "\n")
	}
	return out.Flush()
}

// writeResponses writes one response per row, levels of classes as their numbers; several responses are a table of numbers, NaN
// where one is undefined.
func writeResponses(d *declaration.Declaration, w io.Writer, train *data.View) error {
	if !d.Tasks {
		_, y := train.Target(0)
		if train.TargetInfo(0).Type != data.Class {
			return writeFloats(d, w, y, len(y), 1)
		}
		levels := make([]int64, len(y))
		for i, l := range y {
			levels[i] = int64(l)
		}
		return writeIntegers(d, w, levels)
	}
	rows, n := train.Len(), train.Targets()
	all := make([]float64, rows*n)
	for t := range n {
		defined, y := train.Target(t)
		if defined == nil {
			for i, v := range y {
				all[i*n+t] = v
			}
			continue
		}
		for i := range rows {
			all[i*n+t] = math.NaN()
		}
		for k, i := range defined {
			all[int(i)*n+t] = y[k]
		}
	}
	return writeFloats(d, w, all, rows, n)
}

// writeFloats writes an array in the format of the method; one column is a vector in NumPy's.
func writeFloats(d *declaration.Declaration, w io.Writer, values []float64, rows, columns int) error {
	switch {
	case d.Matrix == declaration.MatrixMarket:
		return npz.WriteMarketArray(w, values, rows, columns)
	case columns == 1 && !d.Tasks:
		return npz.WriteFloats(w, values, rows)
	}
	return npz.WriteFloats(w, values, rows, columns)
}

func writeIntegers[T int32 | int64](d *declaration.Declaration, w io.Writer, values []T) error {
	if d.Matrix != declaration.MatrixMarket {
		return npz.WriteIntegers(w, values)
	}
	numbers := make([]float64, len(values))
	for i, v := range values {
		numbers[i] = float64(v)
	}
	return npz.WriteMarketArray(w, numbers, len(numbers), 1)
}

// readAnswer reads an array that a method wrote, NAME.npy or NAME.mtx, and returns the name of the file; "" if there is none.
func readAnswer(folder files.Folder, name string, most int64) (file string, shape []int, values []float64, err error) {
	content, err := ReadLimited(folder, name+".npy", most)
	if err == nil {
		shape, values, err = npz.ReadArray(name+".npy", content)
		return name + ".npy", shape, values, err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return name + ".npy", nil, nil, err
	}
	const digits = 3 // maximum number of characters as text for each byte of a number
	content, err = ReadLimited(folder, name+".mtx", digits*most)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil, nil
	}
	if err == nil {
		shape, values, err = npz.ReadMarketArray(name+".mtx", content)
	}
	return name + ".mtx", shape, values, err
}

// NewRequest returns the part of a request that follows from the declaration, the struct of its parameters, and the training rows.
func NewRequest(d *declaration.Declaration, params any, train *data.View) (r Request, err error) {
	_, columns := train.Matrix().Dims()
	targets := targetsOf(train)
	r = Request{
		Protocol: declaration.Protocol, Method: d.Name, Rows: train.Len(), Columns: columns, Outputs: outputsOf(targets), Output: d.Output, Transductive: d.Transductive,
	}
	if r.Params, err = encodeParams(d, params); err != nil {
		return r, err
	}
	if !d.Tasks {
		one := inRequest(targets[0])
		r.Target = &one
		return r, nil
	}
	for _, t := range targets {
		r.Targets = append(r.Targets, inRequest(t))
	}
	return r, nil
}

// number is a parameter that is declared as a fraction, as 1.0 is: JSON keeps the point, for languages in which 1.0 and 1 differ.
type number float64

func (x number) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(x))
	if err == nil && !bytes.ContainsAny(text, ".e") {
		text = append(text, ".0"...)
	}
	return text, err
}

// encodeParams returns the values of all parameters, the fields of a struct, in JSON, with the types of their defaults.
func encodeParams(d *declaration.Declaration, params any) (json.RawMessage, error) {
	values := reflect.ValueOf(params)
	out := map[string]any{}
	for i, p := range d.Params {
		switch v := values.Field(i).Interface().(type) {
		case float64:
			out[p.Name] = number(v)
		case []float64:
			numbers := make([]number, len(v))
			for k, x := range v {
				numbers[k] = number(x)
			}
			out[p.Name] = numbers
		default:
			out[p.Name] = v
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("method %s: parameters: %w", d.Name, err)
	}
	return text, nil
}

// Shared returns the names of the files that fits on the same rows have in common.
func (files *RequestFiles) Shared() (names []string) {
	for _, name := range []string{files.Train, files.Response, files.Events, files.Weights, files.Groups, files.Classes, files.Features} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// ClearAnswers removes the answers of a fit from the folder of a process that is to fit again.
func (x *Folder) ClearAnswers() error {
	if err := x.Remove(fittedFile); err != nil {
		return err
	}
	if err := x.ClearArray(coefName); err != nil {
		return err
	}
	return x.RemoveAll(ModelFolder)
}

// ClearArray removes an array that a method wrote, NAME.npy or NAME.mtx.
func (x *Folder) ClearArray(name string) error {
	for _, ending := range []string{".npy", ".mtx"} {
		if err := x.Remove(name + ending); err != nil {
			return err
		}
	}
	return nil
}

// CheckedTargets returns the targets of a request from a file, after checking them.
func (r Request) CheckedTargets(several bool) (targets []data.Target, err error) {
	list := r.Targets
	if !several {
		if r.Target == nil || list != nil {
			return nil, errors.New("expected one target")
		}
		list = []requestTarget{*r.Target}
	}
	if len(list) == 0 {
		return nil, errors.New("it has no target")
	}
	for _, t := range list {
		target := data.Target{Name: t.Name, Type: data.Real}
		switch {
		case t.Type == declaration.TypeClass && len(t.Levels) > 0:
			target.Type, target.Levels = data.Class, t.Levels
		case t.Type == declaration.TypeSurvival && len(t.Levels) == 0:
			target.Type = data.Survival
		case t.Type != declaration.TypeReal || len(t.Levels) > 0:
			return nil, fmt.Errorf("target %s: type %q with %d levels, expected class with levels, or real or survival without", t.Name, t.Type, len(t.Levels))
		}
		targets = append(targets, target)
	}
	return targets, nil
}
