package prepare

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare/gaps"
	"tenfold/engines/prepare/intervals"
)

// fitGaps fills missing values (stored as NaN), but those that stay.
func (r Recipe) fitGaps(p *data.Prepared, l *Learned, train []int32) error {
	if err := r.checkMissing(p.X, p.Features, p.Set); err != nil {
		return err
	}
	l.KeepNumbers, l.KeepWords = r.Missing == Keep, r.keepsWords()
	numbers, words := 0, 0
	gaps.Each(p.X, func(_ int, j int32) {
		if l.words != nil && l.words[j] >= 0 {
			words++
		} else {
			numbers++
		}
	})
	if numbers+words > 0 && r.Fills() {
		l.Fill = r.fillValues(trainingRows(p.X, train), l.words)
		r.noteGaps(p, l, train)
		p.X = gaps.Fill(p.X, l.Fill)
	}
	if numbers > 0 && l.KeepNumbers {
		p.AddFact("missing numbers that stay missing", fmt.Sprint(numbers))
	} else if numbers > 0 {
		p.AddFact(fmt.Sprintf("missing numbers filled in (%s)", r.Missing), fmt.Sprint(numbers))
	}
	if words > 0 && l.KeepWords {
		p.AddFact("0/1 columns of words in rows that lack the word", fmt.Sprint(words))
	} else if words > 0 {
		p.AddFact(fmt.Sprintf("missing words filled in (%s)", r.fillsWords()), fmt.Sprint(words))
	}
	return nil
}

// fitScales discretises or scales.
func (r Recipe) fitScales(p *data.Prepared, l *Learned, train []int32) error {
	r.fitCuts(p, l, train)
	if r.Scale == "sd" {
		_, squares, n, err := scaled.Moments(trainingRows(p.X, train), nil)
		if err != nil {
			return err
		}
		l.Scale = make([]float64, len(squares))
		texts := l.preparedTexts()
		for j, ss := range squares {
			if ss > 0 && !texts.Is(j) {
				l.Scale[j] = math.Sqrt(n / ss)
			}
		}
		p.X = scaleVarying(p.X, l.Scale)
	}
	return nil
}

// fitCuts makes 0/1 columns of numbers: is x above that quantile of the training rows? The quantiles split these into r.Discretize
// intervals of equal frequency, as near as ties allow. Columns of zeros and ones stay; those without variation in the training rows have
// no cut, and are left out.
func (r Recipe) fitCuts(p *data.Prepared, l *Learned, train []int32) {
	if r.Discretize == 0 || p.X.Binary() {
		return
	}
	var constant int
	l.Cuts, constant = intervals.Fit(trainingRows(p.X, train), p.Features, r.Discretize)
	p.X, p.Features = intervals.Apply(p.X, l.Cuts), intervals.Features(p.Features, l.Cuts)
	p.AddFact(fmt.Sprintf("0/1 columns, by quantiles of the training rows (discretize: %d)", r.Discretize), fmt.Sprint(p.Features.Len()))
	if constant > 0 {
		p.AddFact("columns constant in the training rows, left out", fmt.Sprint(constant))
	}
}

// scaleVarying returns the matrix with the values of each column multiplied; constant columns, which have the factor 0, stay.
func scaleVarying(x *sparse.Matrix, scale []float64) *sparse.Matrix {
	return x.Valued(func(j int32, v float64) float64 {
		if scale[j] == 0 {
			return v
		}
		return v * scale[j]
	})
}

// checkMissing returns an error if a value is missing that the recipe neither fills in nor keeps.
func (r Recipe) checkMissing(x *sparse.Matrix, features *data.Features, d *data.Dataset) error {
	numbers, words := r.fillsNumbers() || r.Missing == Keep, r.fillsWords() != "" || r.keepsWords()
	if numbers && words {
		return nil
	}
	row, column, refused := -1, int32(-1), 0
	gaps.Each(x, func(i int, j int32) {
		source, read := d.Features.Lookup(features.Name(int(j)))
		if word := read && isLevel(d, source); word && words || !word && numbers {
			return
		}
		if refused++; refused == 1 {
			row, column = i, j
		}
	})
	if refused == 0 {
		return nil
	}
	return fmt.Errorf("row %s, column %s: the value is missing%s; say how to fill it in with prepare: {missing: mean | median | zero | indicator | level}, keep for trees, or drop-rows where the format offers it",
		d.NameRow(row), columnOf(d, features.Name(int(column))), andOthers(refused-1))
}

func andOthers(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", as is 1 other"
	}
	return fmt.Sprintf(", as are %d others", n)
}

// Fills reports whether any missing values are replaced.
func (r Recipe) Fills() bool { return r.fillsNumbers() || r.fillsWords() != "" }

// fillsNumbers reports whether missing numbers are replaced.
func (r Recipe) fillsNumbers() bool {
	return r.Missing != "" && r.Missing != "error" && r.Missing != Keep
}

// fillsWords returns what replaces missing words, "" if they are refused or stay.
func (r Recipe) fillsWords() string {
	switch {
	case r.Words == "error" || r.Words == Keep || r.Words == "" && !r.fillsNumbers():
		return ""
	case r.Words == "":
		return Level
	}
	return r.Words
}

// fillValues returns the replacement of missing values for each column of the training rows: NaN where they are refused or stay, words for levels.
// Entries that are not stored are zeros and count as such; a column without a known value gets 0.
func (r Recipe) fillValues(x *sparse.Matrix, words []float64) []float64 {
	rows, cols := x.Dims()
	fill := make([]float64, cols)
	for j := range fill {
		switch {
		case words != nil && words[j] >= 0 && r.fillsWords() != "":
			fill[j] = words[j]
			continue
		case words != nil && words[j] >= 0 || !r.fillsNumbers():
			fill[j] = math.NaN()
			continue
		case r.Missing == "zero":
			continue
		}
		col := x.Col(j)
		known := make([]float64, 0, col.Len())
		for k := range col.Idx {
			if v := col.At(k); v == v {
				known = append(known, v)
			}
		}
		zeros := rows - col.Len()
		if len(known)+zeros == 0 {
			continue
		}
		if r.Missing == "median" || r.Missing == Indicator {
			fill[j] = sparse.NewOrdered(known, zeros).Median()
			continue
		}
		fill[j] = dense.Sum(known) / float64(len(known)+zeros)
	}
	return fill
}
