package imported

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
	"tenfold/runner/score"
)

// Prefixes of the names of columns of levels; they tell what the numbers are.
const (
	scorePrefix          = "score_"
	probabilityPrefix    = "probability_"
	logProbabilityPrefix = "log_probability_"
)

// predictions holds a file of predictions, column by column.
type predictions struct {
	records
	row    tablefile.WholeNumbers
	id     []string
	output tablefile.Words
	label  tablefile.Words // predictions of classes
	value  []float64       // predictions of numbers, NaN if there is none
	prefix string          // prefix of the columns of levels; "" if there are none
	levels map[string][]float64
	// odd holds cells without a number where one was expected, by column and record: an error only if a fold needs them.
	odd map[oddCell]string
}

type oddCell struct {
	column string
	record int
}

// mostOdd limits the texts of such cells that are kept for messages.
const mostOdd = 10_000

func readPredictions(ctx context.Context, in source.Input, folds foldList, classes, numbers bool) (*predictions, error) {
	_, file, err := in.Bytes(Predictions)
	if err != nil {
		return nil, err
	}
	p := &predictions{records: records{file: file, folds: folds}, levels: map[string][]float64{}, odd: map[oddCell]string{}}
	columns := p.places.columns()
	columns["row"] = p.row.Take
	columns["id"] = func(v tablefile.Value) error { p.id = append(p.id, strings.Clone(v.Text())); return nil }
	columns["output"] = p.output.Take
	number := p.numberTaker("prediction", func(x float64) { p.value = append(p.value, x) })
	columns["prediction"] = func(v tablefile.Value) error {
		if classes {
			p.label.Add(strings.TrimSpace(v.Text()))
		}
		if numbers {
			return number(v)
		}
		return nil
	}
	var mixed error
	b := binding{file: file, columns: columns, prefixes: []string{scorePrefix, probabilityPrefix, logProbabilityPrefix}, prefixed: func(prefix, level string) taker {
		if p.prefix != "" && p.prefix != prefix {
			mixed = fmt.Errorf("%s: columns %sLEVEL beside columns %sLEVEL, expected one of the two", file, p.prefix, prefix)
		}
		p.prefix, p.levels[level] = prefix, []float64{}
		return p.numberTaker(prefix+level, func(x float64) { p.levels[level] = append(p.levels[level], x) })
	}}
	n, err := tablefile.Scan(ctx, in, Predictions, func(header []string) ([]func(tablefile.Value) error, error) {
		for _, name := range header {
			p.places.has[name] = true
		}
		takers, err := b.bind(header)
		if err = cmp.Or(err, mixed); err == nil {
			err = p.checkColumns()
		}
		return takers, err
	})
	if err != nil {
		return nil, err
	}
	return p, p.divide(n)
}

// numberTaker returns a taker of the numbers of a column. A cell without a number becomes NaN, and its text is kept.
func (p *predictions) numberTaker(column string, add func(float64)) taker {
	record := 0
	return func(v tablefile.Value) error {
		x, ok := v.Number()
		if !ok {
			x = math.NaN()
			if text := strings.TrimSpace(v.Text()); text != "" && len(p.odd) < mostOdd {
				p.odd[oddCell{column, record}] = strings.Clone(rawtext.Beginning(text))
			}
		}
		add(x)
		record++
		return nil
	}
}

func (p *predictions) checkColumns() error {
	if err := p.places.check(p.file, p.folds); err != nil {
		return err
	}
	switch has := p.places.has; {
	case has["row"] == has["id"]:
		return fmt.Errorf("%s: expected one of the columns row (numbers of rows from 0) and id", p.file)
	case !has["prediction"] && p.prefix == "":
		return fmt.Errorf("%s: expected a column prediction, or columns %sLEVEL or %sLEVEL", p.file, scorePrefix, probabilityPrefix)
	}
	return nil
}

// CheckTargets returns an error if the columns of the files do not fit a data set's responses.
func (m *Import) CheckTargets(dataset string, targets []data.Target) error {
	p := m.predictions
	if len(targets) > 1 && !p.places.has["output"] {
		return fmt.Errorf("%s: there is no column output, and data set %s has %d responses", p.file, dataset, len(targets))
	}
	for _, t := range targets {
		if t.Type != data.Class {
			if !p.places.has["prediction"] {
				return fmt.Errorf("%s: there is no column prediction, which response %s of data set %s needs, whose values are numbers", p.file, t.Name, dataset)
			}
			continue
		}
		var missing []string
		for _, level := range t.Levels {
			if _, there := p.levels[level]; !there {
				missing = append(missing, p.prefix+level)
			}
		}
		switch {
		case len(missing) == 0, p.prefix == "":
		case len(missing) == len(t.Levels) && p.places.has["prediction"]: // the columns are levels of other data sets
		case len(t.Levels) == 2 && len(missing) == 1: // one of two levels is enough
		default:
			return fmt.Errorf("%s: there is no column %s; response %s of data set %s has the levels %s", p.file, missing[0], t.Name, dataset, source.Abridge(t.Levels))
		}
	}
	return nil
}

// CheckLevels returns an error for columns of levels that no response has.
func (m *Import) CheckLevels(all []string) error {
	var names []string
	for name := range m.predictions.levels {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("%s: column %q: no response has a level %q%s", m.predictions.file, m.predictions.prefix+name, name, suggest.Choices(name, all))
		}
	}
	return nil
}

// Predictions returns those for the test rows of a fold. Its errors say what the file lacks for the fold.
func (m *Import) Predictions(f Fold, request score.Request) (*score.Imported, error) {
	p := m.predictions
	rows := p.recordsOf(f)
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no predictions for %s, expected %d rows", p.file, f, len(f.Test))
	}
	c := p.collectorOf(f, request)
	for _, k := range rows {
		if err := c.add(k); err != nil {
			return nil, fmt.Errorf("%s, record %d: %w", p.file, k+1, err)
		}
	}
	return c.finish()
}

// collector sorts the records of a fold in the order of its test rows.
type collector struct {
	*predictions
	fold    Fold
	request score.Request
	place   map[string]int // by id
	twice   map[string]bool
	byRow   map[int32]int
	width   int
	first   []int   // the first output of each response
	record  []int32 // by test row and response, -1 for none yet
	found   score.Imported
	labels  bool
}

func (p *predictions) collectorOf(f Fold, request score.Request) *collector {
	c := &collector{predictions: p, fold: f, request: request}
	for _, t := range request.Targets {
		c.first = append(c.first, c.width)
		c.width += t.Outputs()
		c.labels = c.labels || t.Type == data.Class && p.places.has["prediction"]
	}
	c.record = make([]int32, len(f.Test)*len(request.Targets))
	for i := range c.record {
		c.record[i] = -1
	}
	c.found = score.Imported{Unscored: make([]bool, len(request.Targets)), Scores: make([]float64, len(f.Test)*c.width), Probabilities: p.prefix == probabilityPrefix || p.prefix == logProbabilityPrefix}
	if c.labels {
		c.found.Labels = make([]int32, len(c.record))
	}
	if p.id == nil {
		c.byRow = make(map[int32]int, len(f.Test))
		for i, row := range f.Test {
			c.byRow[row] = i
		}
		return c
	}
	c.place, c.twice = make(map[string]int, len(f.Test)), map[string]bool{}
	for i := range f.Test {
		id := request.ID(i)
		if _, again := c.place[id]; again {
			c.twice[id] = true
		}
		c.place[id] = i
	}
	return c
}

// rowOf returns the test row of a record, and its name in the file.
func (c *collector) rowOf(k int32) (i int, name string, err error) {
	ok := false
	if c.id != nil {
		name = fmt.Sprintf("id %q", c.id[k])
		if i, ok = c.place[c.id[k]]; c.twice[c.id[k]] {
			return 0, name, fmt.Errorf("%s: several test rows have it, expected numbers of rows in a column row", name)
		}
	} else {
		name = fmt.Sprintf("row %d", c.row[k])
		if c.row[k] < 0 {
			return 0, name, errors.New("row: the value is missing, expected the number of a row")
		}
		i, ok = c.byRow[c.row[k]]
	}
	if !ok {
		return 0, name, fmt.Errorf("%s is none of the %d test rows of %s", name, len(c.fold.Test), c.fold)
	}
	return i, name, nil
}

// targetOf returns the response of a record.
func (c *collector) targetOf(k int32) (int, error) {
	name := c.output.Text(k)
	if len(c.request.Targets) == 1 && name == "" {
		return 0, nil
	}
	var names []string
	for t, target := range c.request.Targets {
		if target.Name == name {
			return t, nil
		}
		names = append(names, target.Name)
	}
	return 0, fmt.Errorf("output: there is no response %q%s", name, suggest.Choices(name, names))
}

func (c *collector) add(k int32) error {
	i, name, err := c.rowOf(k)
	if err != nil {
		return err
	}
	t, err := c.targetOf(k)
	if err != nil {
		return err
	}
	index := i*len(c.request.Targets) + t
	if c.record[index] >= 0 {
		return fmt.Errorf("%s of %s again, first in record %d", name, c.fold, c.record[index]+1)
	}
	c.record[index] = k
	target := c.request.Targets[t]
	dst := c.found.Scores[i*c.width+c.first[t]:][:target.Outputs()]
	if target.Type != data.Class {
		if dst[0] = c.value[k]; math.IsNaN(dst[0]) {
			return c.notNumber("prediction", k, name)
		}
		if target.Type == data.Count && dst[0] < 0 {
			return fmt.Errorf("%s: prediction: found %v, expected the number of counts to expect of %s, 0 or more", name, dst[0], target.Name)
		}
		return nil
	}
	scored, err := c.scores(dst, target, k, name)
	if err != nil {
		return err
	}
	if !scored && !c.labels {
		return fmt.Errorf("%s: expected numbers in columns of levels", name)
	}
	c.found.Unscored[t] = !scored
	if c.labels {
		level := c.label.Text(k)
		l := slices.Index(target.Levels, level)
		if l < 0 {
			return fmt.Errorf("%s: prediction: found %q, expected a level of %s%s", name, level, target.Name, suggest.Choices(level, target.Levels))
		}
		c.found.Labels[index] = int32(l)
		if !scored {
			dst[l] = 1
		}
	}
	return nil
}

func (c *collector) notNumber(column string, k int32, row string) error {
	if text, ok := c.odd[oddCell{column, int(k)}]; ok {
		return fmt.Errorf("%s: %s: found %q, expected a finite number", row, column, text)
	}
	return fmt.Errorf("%s: %s: the value is missing, expected a finite number", row, column)
}

// scores fills dst with the scores of the levels of a class; it returns false if the file has no columns for them.
func (c *collector) scores(dst []float64, t data.Target, k int32, row string) (bool, error) {
	found, last := 0, -1
	for l, level := range t.Levels {
		values, ok := c.levels[level]
		if !ok {
			continue
		}
		if found, last = found+1, l; math.IsNaN(values[k]) {
			return false, c.notNumber(c.prefix+level, k, row)
		}
		dst[l] = values[k]
	}
	if found == 0 {
		return false, nil
	}
	if !c.found.Probabilities {
		return true, nil
	}
	logs := c.prefix == logProbabilityPrefix
	p := dst // probabilities
	if logs {
		p = make([]float64, len(dst))
		for l, x := range dst {
			p[l] = elementary.Exp(x)
		}
	}
	if found < len(dst) {
		p[1-last] = min(1, max(0, 1-p[last])) // clamped, so that an invalid probability is reported for the value in the file
	}
	if err := engines.CheckProbabilities(p, t.Levels); err != nil {
		return false, fmt.Errorf("%s: %w", row, err)
	}
	switch {
	case !logs:
		engines.TakeLogarithms(dst)
	case found < len(dst):
		dst[1-last] = elementary.Log(p[1-last])
	}
	return true, nil
}

// finish returns an error if rows of the fold have no prediction.
func (c *collector) finish() (*score.Imported, error) {
	missing, first := 0, ""
	for i := range c.fold.Test {
		for t, target := range c.request.Targets {
			if c.record[i*len(c.request.Targets)+t] >= 0 || !c.request.Defined(t, i) {
				continue
			}
			if missing++; missing == 1 {
				first = fmt.Sprintf("row %d (id %q)", c.fold.Test[i], c.request.ID(i))
				if len(c.request.Targets) > 1 {
					first += ", output " + target.Name
				}
			}
		}
	}
	if missing > 0 {
		return nil, fmt.Errorf("%s: %d of the test rows of %s have no prediction, the first %s; expected each of %d once", c.file, missing, c.fold, first, len(c.fold.Test))
	}
	return &c.found, nil
}
