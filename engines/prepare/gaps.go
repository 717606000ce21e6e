package prepare

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/prepare/gaps"
	"tenfold/engines/prepare/probes"
	"tenfold/engines/prepare/pruning"
)

const (
	// Keep leaves missing values missing (NaN), for engines that take them (engines.Needs.Missing).
	Keep = "keep"
	// Indicator replaces a missing number by the median, and adds a 0/1 column that says so for each column that a training row lacks.
	Indicator = "indicator"
)

// KeepsGaps reports whether missing values stay missing.
func (r Recipe) KeepsGaps() bool { return r.Missing == Keep || r.keepsWords() }

// keepsWords reports whether missing words stay missing.
func (r Recipe) keepsWords() bool { return r.Words == Keep || r.Words == "" && r.Missing == Keep }

// Becomes says what becomes of missing values of a column of words, or of one of numbers.
func (r Recipe) Becomes(isWord bool) string {
	switch {
	case isWord && r.keepsWords() || !isWord && r.Missing == Keep:
		return "they stay missing"
	case isWord && r.fillsWords() == Level:
		return "filled in with " + data.Missing
	case isWord:
		return "filled in with the commonest word"
	case r.Missing == Indicator:
		return "filled in with the median, and told by an indicator"
	}
	return "filled in with the " + r.Missing
}

// checkKept returns an error if missing values are to stay and a further step cannot take them.
func (r Recipe) checkKept() error {
	if !r.KeepsGaps() {
		return nil
	}
	for _, step := range []struct {
		asked bool
		what  string
	}{
		{r.Scale == "sd", "prepare: {scale: sd}, which trees do not need,"}, {r.Discretize > 0, "prepare: {discretize: …}"},
		{r.NearZero != (pruning.NearZero{}), "prepare: {near_zero: …}"}, {r.Correlated != (pruning.Correlated{}), "prepare: {correlated: …}"},
		{r.Clusters > 0, "features: {classes: {kind: kmeans}}"}, {r.Probes != (probes.Rule{}) && r.Probes.Kind != probes.Permuted, "features: {probes: …} of a kind other than permuted"},
	} {
		if step.asked {
			return param.Errorf("prepare.missing", "keep leaves values missing, and %s takes none; fill them in with mean, median, zero, indicator or level, or leave that out", step.what)
		}
	}
	return nil
}

// dropUnknown adds to the columns that are dropped those of which no training row has a value: they would be constant. It says which, and
// records them as known and unused.
func dropUnknown(p *data.Prepared, l *Learned, train []int32, drop []bool) ([]bool, error) {
	d := p.Set
	if d.X.Binary() {
		return drop, nil
	}
	lacking := make([]int, d.Features.Len())
	for _, i := range train {
		row := d.X.Row(int(i))
		for q, j := range row.Idx {
			if row.Val[q] != row.Val[q] {
				lacking[j]++
			}
		}
	}
	unknown := map[string]bool{}
	for j, n := range lacking {
		if n == len(train) && n > 0 && (drop == nil || !drop[j]) {
			unknown[d.ColumnOf(j)] = true
		}
	}
	if len(unknown) == 0 {
		return drop, nil
	}
	out, left, names := make([]bool, len(lacking)), 0, []string{}
	for j := range out {
		column := d.ColumnOf(j)
		out[j] = drop != nil && drop[j] || unknown[column]
		if !out[j] {
			left++
		}
		if unknown[column] && !slices.Contains(names, column) {
			names = append(names, column)
		}
		if unknown[column] && !isLevel(d, j) { // levelsLeft lists levels
			l.Left = append(l.Left, column)
		}
	}
	p.AddFact("columns of which no training row has a value, left out", fmt.Sprintf("%d: %s", len(names), strings.Join(names[:min(named, len(names))], ", ")))
	if left == 0 {
		return nil, fmt.Errorf("no training row has a value of any column")
	}
	return out, nil
}

// told is a column whose gaps an indicator tells.
type told struct {
	gaps.Column
	name  string
	class int32
}

// noteGaps notes the rows that lack the value of columns of numbers that training rows lack, too, if there are to be indicators.
func (r Recipe) noteGaps(p *data.Prepared, l *Learned, train []int32) {
	if r.Missing != Indicator {
		return
	}
	lacking := map[int32]bool{}
	gaps.Each(trainingRows(p.X, train), func(_ int, j int32) { lacking[j] = l.words == nil || l.words[j] < 0 })
	for _, c := range gaps.Columns(p.X, func(j int32) bool { return lacking[j] }) {
		l.told = append(l.told, told{c, p.Features.Name(int(c.Number)), int32(p.Features.Class(int(c.Number)))})
	}
}

// renumberGaps renumbers the noted gaps after columns have left; left has the places of the others.
func (l *Learned) renumberGaps(left []int32) {
	out := l.told[:0]
	for _, c := range l.told {
		if k, ok := slices.BinarySearch(left, c.Number); ok {
			c.Number = int32(k)
			out = append(out, c)
		}
	}
	l.told = out
}

func indicatorOf(column string) string { return column + ":missing" }

// addIndicators appends a 0/1 column for each of the noted gaps.
func (l *Learned) addIndicators(p *data.Prepared) error {
	if len(l.told) == 0 {
		return nil
	}
	var names []string
	var class []int32
	var columns []gaps.Column
	for _, c := range l.told {
		name := indicatorOf(c.name)
		if _, taken := p.Set.Features.Lookup(name); taken {
			return fmt.Errorf("column %q is of the data, and prepare: {missing: indicator} makes one of that name, of the rows that lack %q", name, c.name)
		}
		l.Indicators, names, class, columns = append(l.Indicators, c.Number), append(names, name), append(class, c.class), append(columns, c.Column)
	}
	p.X, p.Features = p.X.Beside(l.indicators(columns)), p.Features.WithColumnsLike(names, class)
	p.AddFact("0/1 columns of rows that lack a number", fmt.Sprint(len(names)))
	return nil
}

// indicators returns the columns that are 1 in the rows with gaps, one for each of l.Indicators.
func (l *Learned) indicators(columns []gaps.Column) []sparse.Vec {
	out := make([]sparse.Vec, len(l.Indicators))
	for _, c := range columns {
		if k, ok := slices.BinarySearch(l.Indicators, c.Number); ok {
			out[k].Idx = c.Rows
		}
	}
	return out
}
