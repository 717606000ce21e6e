package exchange

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/runner/method/declaration"
)

// Report is the report of a method about a finished fit: fitted.json.
type Report struct {
	Selected     []int             `json:"selected"` // columns in order of entry
	Scores       []float64         `json:"scores"`   // of the selected columns
	Coefficients [][3]float64      `json:"coefficients"`
	Coef         packed            `json:"coef"` // columns × outputs, all of them
	Intercept    floats            `json:"intercept"`
	Baseline     *baseline         `json:"baseline"` // of survival targets, if the method estimates it
	Iterations   int               `json:"iterations"`
	Stop         string            `json:"stop"`
	Facts        map[string]string `json:"facts"`
	Notes        []string          `json:"notes"`
	// Probabilities says whether the predictions of this fit are probabilities; if it is missing, the declaration does.
	Probabilities *bool `json:"probabilities"`
}

// baseline is the cumulative hazard, from each time on, for a prediction of 0.
type baseline struct {
	Time   []float64 `json:"time"`
	Hazard []float64 `json:"hazard"`
}

// check returns an error unless times rise and hazards do not fall.
func (b *baseline) check(target data.Target) error {
	switch {
	case target.Type != data.Survival:
		return errors.New("baseline: the response has no times")
	case len(b.Time) == 0 || len(b.Time) != len(b.Hazard):
		return fmt.Errorf("baseline: %d times and %d hazards, expected as many of both", len(b.Time), len(b.Hazard))
	}
	time, hazard := 0.0, 0.0
	for k, t := range b.Time {
		switch h := b.Hazard[k]; {
		case !(t > time) || math.IsInf(t, 0):
			return fmt.Errorf("baseline: time[%d]: %v after %v, expected times that rise", k, t, time)
		case !(h >= hazard) || math.IsInf(h, 0):
			return fmt.Errorf("baseline: hazard[%d]: %v after %v, expected hazards that do not fall", k, h, hazard)
		default:
			time, hazard = t, h
		}
	}
	return nil
}

// floats is a list of numbers, written as a list or as one number.
type floats []float64

func (f *floats) UnmarshalJSON(text []byte) error {
	var one float64
	if json.Unmarshal(text, &one) == nil {
		*f = floats{one}
		return nil
	}
	return json.Unmarshal(text, (*[]float64)(f))
}

// packed holds 64-bit numbers, little-endian, in base64: an array too small to deserve a file.
type packed []float64

func (p *packed) UnmarshalJSON(text []byte) error {
	var content []byte
	if err := json.Unmarshal(text, &content); err != nil {
		return fmt.Errorf("coef: %w", err)
	}
	if len(content)%8 != 0 {
		return fmt.Errorf("coef: %d bytes, expected 8 a number", len(content))
	}
	*p = make(packed, len(content)/8)
	for i := range *p {
		(*p)[i] = math.Float64frombits(binary.LittleEndian.Uint64(content[8*i:]))
	}
	return nil
}

// Expected holds the request that an answer is checked against.
type Expected struct {
	Columns int
	Targets []data.Target
	Output  func(string) bool // whether the declaration names an output
}

// Expect returns the request of a method for some rows, as far as answers to it are concerned.
func Expect(d *declaration.Declaration, train *data.View) Expected {
	_, columns := train.Matrix().Dims()
	return Expected{Columns: columns, Targets: targetsOf(train), Output: d.Gives}
}

// Outputs returns the number of outputs of all targets.
func (a Expected) Outputs() int { return outputsOf(a.Targets) }

// twoLevels reports whether the only target has two levels; a method may then score the second alone.
func (a Expected) twoLevels() bool {
	return len(a.Targets) == 1 && a.Targets[0].Type == data.Class && len(a.Targets[0].Levels) == 2
}

// spareBytes is the size that answers may have beyond what their numbers take.
const spareBytes = 1 << 20

// MaxJSON returns the maximum size of fitted.json in bytes: 64 per coefficient.
func (a Expected) MaxJSON() int64 {
	return spareBytes + 64*int64(a.Columns)*int64(max(1, a.Outputs())+1)
}

// ReadLimited reads a regular file of at most most bytes.
func ReadLimited(folder files.Folder, name string, most int64) ([]byte, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		return nil, fmt.Errorf("%s has more than the %d bytes that an answer to this request can need", path.Base(name), most)
	}
	return content, err
}

// ReadReport reads and checks fitted.json, or the text after the word fitted in its place if it is not nil, and the files beside it. Errors say
// which file, which place, what was found, and what was expected.
func ReadReport(folder files.Folder, line []byte, a Expected) (Report, []engines.Coef, []float64, error) {
	var f Report
	content, err := a.answer(folder, line)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil, nil, fmt.Errorf("%s is missing: the method ended without an answer", fittedFile)
	}
	if err != nil {
		return f, nil, nil, err
	}
	from := json.NewDecoder(bytes.NewReader(content))
	from.DisallowUnknownFields()
	type fitted Report // whose name is in texts of errors
	if err := from.Decode((*fitted)(&f)); err != nil {
		return f, nil, nil, fmt.Errorf("%s: %w", fittedFile, err)
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return f, nil, nil, fmt.Errorf("%s: something follows the object", fittedFile)
	}
	if err := a.checkSelected(f); err != nil {
		return f, nil, nil, fmt.Errorf("%s: %w", fittedFile, err)
	}
	if f.Baseline != nil {
		if err := f.Baseline.check(a.Targets[0]); err != nil {
			return f, nil, nil, fmt.Errorf("%s: %w", fittedFile, err)
		}
	}
	coefs, bias, err := a.coefficients(folder, f)
	if err != nil {
		return f, nil, nil, err
	}
	return f, coefs, bias, nil
}

// answer returns the content of fitted.json or, unless it is nil, of the line that the method answered with.
func (a Expected) answer(folder files.Folder, line []byte) ([]byte, error) {
	if line == nil {
		return ReadLimited(folder, fittedFile, a.MaxJSON())
	}
	if int64(len(line)) > a.MaxJSON() {
		return nil, fmt.Errorf("the line %s has more than the %d bytes that an answer to this request can need", FittedLine, a.MaxJSON())
	}
	return line, nil
}

func (a Expected) checkSelected(f Report) error {
	if a.Output(declaration.Selected) && f.Selected == nil {
		return errors.New("selected is missing, which the declaration names as an output")
	}
	seen := make(map[int]int, len(f.Selected))
	for k, j := range f.Selected {
		if j < 0 || j >= a.Columns {
			return fmt.Errorf("selected[%d]: column %d, expected 0 to %d", k, j, a.Columns-1)
		}
		if first, twice := seen[j]; twice {
			return fmt.Errorf("selected[%d]: column %d again, first at selected[%d]", k, j, first)
		}
		seen[j] = k
	}
	if f.Scores != nil && len(f.Scores) != len(f.Selected) {
		return fmt.Errorf("scores: %d numbers for %d selected columns", len(f.Scores), len(f.Selected))
	}
	if f.Iterations < 0 {
		return fmt.Errorf("iterations: %d, expected at least 0", f.Iterations)
	}
	return nil
}

// coefficients returns those of coef.npy or of the list, with their ranks in the selection, and the intercepts by output; nil, nil
// if the method returns none.
func (a Expected) coefficients(folder files.Folder, f Report) (coefs []engines.Coef, bias []float64, err error) {
	outputs := a.Outputs()
	coefFile, shape, values, err := readAnswer(folder, coefName, spareBytes+8*int64(a.Columns)*int64(max(1, outputs)))
	if err == nil && coefFile == "" && f.Coef != nil {
		coefFile, values = fittedFile+": coef", f.Coef
		shape = []int{len(values)}
		if len(values) == a.Columns*outputs {
			shape = []int{a.Columns, outputs}
		}
	} else if f.Coef != nil {
		err = cmp.Or(err, fmt.Errorf("%s and coef of %s: expected one of the two", coefFile, fittedFile))
	}
	stored := coefFile != ""
	switch {
	case err != nil:
		return nil, nil, err
	case stored && f.Coefficients != nil:
		return nil, nil, fmt.Errorf("%s and coefficients of %s: expected one of the two", coefFile, fittedFile)
	case !stored && f.Coefficients == nil:
		if a.Output(declaration.Coefficients) {
			return nil, nil, fmt.Errorf("%s: coefficients are missing, which the declaration names as an output, and there is no %s.npy", fittedFile, coefName)
		}
		return nil, nil, nil
	}
	width := outputs
	if stored {
		width = 1
		if len(shape) == 2 {
			width = shape[1]
		}
		if len(shape) == 0 || shape[0] != a.Columns || width != outputs && !(width == 1 && a.twoLevels()) {
			return nil, nil, fmt.Errorf("%s: shape %v, expected %d columns × %d outputs", coefFile, shape, a.Columns, outputs)
		}
		for k, v := range values {
			if v != 0 {
				coefs = append(coefs, engines.Coef{Feature: k / width, Output: k % width, Value: v, Rank: -1})
			}
		}
	} else {
		width, coefs, err = a.listed(f)
		if err != nil {
			return nil, nil, err
		}
	}
	for _, c := range coefs {
		if math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
			return nil, nil, fmt.Errorf("coefficient of column %d, output %d: %v, expected a finite number", c.Feature, c.Output, c.Value)
		}
	}
	bias = f.Intercept
	if bias == nil {
		bias = make([]float64, width)
	}
	if len(bias) == 1 && a.twoLevels() {
		width = 1
	}
	if len(bias) != width {
		return nil, nil, fmt.Errorf("%s: intercept: %d numbers, expected %d", fittedFile, len(bias), width)
	}
	if width == 1 && a.twoLevels() { // log-odds of the second level
		bias = []float64{0, bias[0]}
		for i := range coefs {
			coefs[i].Output = 1
		}
	}
	return a.ranked(coefs, f), bias, nil
}

// listed returns the coefficients of fitted.json, and the number of outputs that they are for.
func (a Expected) listed(f Report) (width int, coefs []engines.Coef, err error) {
	width = a.Outputs()
	if a.twoLevels() && len(f.Intercept) == 1 {
		width = 1
	}
	type place struct{ column, output int }
	seen := map[place]bool{}
	for k, c := range f.Coefficients {
		p := place{int(c[0]), int(c[1])}
		switch {
		case float64(p.column) != c[0] || p.column < 0 || p.column >= a.Columns:
			return 0, nil, fmt.Errorf("%s: coefficients[%d]: column %v, expected 0 to %d", fittedFile, k, c[0], a.Columns-1)
		case float64(p.output) != c[1] || p.output < 0 || p.output >= width:
			return 0, nil, fmt.Errorf("%s: coefficients[%d]: output %v, expected 0 to %d", fittedFile, k, c[1], width-1)
		case seen[p]:
			return 0, nil, fmt.Errorf("%s: coefficients[%d]: column %d, output %d again", fittedFile, k, p.column, p.output)
		}
		seen[p] = true
		coefs = append(coefs, engines.Coef{Feature: p.column, Output: p.output, Value: c[2], Rank: -1})
	}
	return width, coefs, nil
}

// ranked sets the ranks of coefficients by the order of entry of their columns, and their scores.
func (a Expected) ranked(coefs []engines.Coef, f Report) []engines.Coef {
	rank := make(map[int]int, len(f.Selected))
	for k, j := range f.Selected {
		rank[j] = k
	}
	for i := range coefs {
		if k, ok := rank[coefs[i].Feature]; ok {
			coefs[i].Rank = k
			if f.Scores != nil {
				coefs[i].Score = f.Scores[k]
			}
		}
	}
	return coefs
}

// ReadPredictions reads and checks predictions.npy for rows rows into dst, rows × outputs.
func ReadPredictions(dst []float64, folder files.Folder, rows int, a Expected, probabilities bool) error {
	outputs := a.Outputs()
	answerFile, shape, values, err := readAnswer(folder, AnswerName, spareBytes+8*int64(rows)*int64(outputs))
	if err != nil {
		return err
	}
	if answerFile == "" {
		return fmt.Errorf("%s.npy is missing: the method gave no answer", AnswerName)
	}
	width := 1
	if len(shape) == 2 {
		width = shape[1]
	}
	single := width == 1 && a.twoLevels()
	if len(shape) == 0 || shape[0] != rows || width != outputs && !single {
		return fmt.Errorf("%s: shape %v, expected %d rows × %d outputs%s", answerFile, shape, rows, outputs, a.ofLevels())
	}
	for k, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: row %d, output %d: %v, expected a finite number", answerFile, k/width, k%width, v)
		}
	}
	if single {
		for i, v := range values {
			dst[2*i], dst[2*i+1] = 0, v
			if probabilities {
				dst[2*i] = 1 - v
			}
		}
	} else {
		copy(dst, values)
	}
	if !probabilities {
		return nil
	}
	return a.takeProbabilities(answerFile, dst, rows)
}

// ofLevels says what the outputs of a class are, "" of other targets.
func (a Expected) ofLevels() string {
	if len(a.Targets) > 1 || a.Targets[0].Type != data.Class {
		return ""
	}
	return ", one for each level in the order of the request"
}

// takeProbabilities returns an error for invalid probabilities, and replaces valid ones by their logarithms.
func (a Expected) takeProbabilities(answerFile string, p []float64, rows int) error {
	outputs := a.Outputs()
	for i := range rows {
		first := i * outputs
		for _, t := range a.Targets {
			shares := p[first:][:t.Outputs()]
			first += len(shares)
			if t.Type != data.Class {
				continue
			}
			if err := engines.CheckProbabilities(shares, t.Levels); err != nil {
				return fmt.Errorf("%s: row %d: %w (for scores, leave probabilities out of output)", answerFile, i, err)
			}
			engines.TakeLogarithms(shares)
		}
	}
	return nil
}
