package folds

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Words returns how the rows are divided, for a description of methods: "5-fold cross-validation, stratified by the response, repeated
// 3 times". The spec is normalised.
func (s Spec) Words() string {
	var b strings.Builder
	switch s.Kind {
	case "kfold":
		fmt.Fprintf(&b, "%d-fold cross-validation", s.K)
	case "holdout":
		fmt.Fprintf(&b, "a hold-out of %s", shareWords(s.Test, "the rows"))
	case "given":
		switch b.WriteString("the division into training and test rows that "); {
		case s.File.Path != "":
			fmt.Fprintf(&b, "the file %s lists", path.Base(filepath.ToSlash(s.File.Path)))
		case s.Column != "":
			fmt.Fprintf(&b, "the data give in the column %s", s.Column)
		default:
			b.WriteString("the data give")
		}
	case "time":
		fmt.Fprintf(&b, "a test of the last %s", shareWords(s.Test, "the rows in order of time"))
		if s.K > 1 {
			fmt.Fprintf(&b, " in %d blocks, each after training on rows before it", s.K)
		} else {
			b.WriteString(" after training on rows before it")
		}
		if s.Gap != (Span{}) {
			fmt.Fprintf(&b, ", with a gap of %s between them", s.Gap.words())
		}
		if s.Window != (Span{}) {
			fmt.Fprintf(&b, ", on the latest %s alone", s.Window.words())
		}
	}
	if s.Stratify {
		b.WriteString(", stratified by the response")
	}
	if s.By != "" {
		fmt.Fprintf(&b, ", with all rows of a %s on one side", s.By)
	}
	if s.Repeats > 1 {
		fmt.Fprintf(&b, ", repeated %d times", s.Repeats)
	}
	return b.String()
}

// shareWords returns "10 % of what", or "200 of what" for a number of rows.
func shareWords(x float64, what string) string {
	if x < 1 {
		return strconv.FormatFloat(100*x, 'g', 6, 64) + " % of " + what
	}
	return fmt.Sprintf("%g of %s", x, what)
}

// words returns the span in words: "30d", or "50 rows".
func (s Span) words() string {
	if s.Time == 0 {
		return s.String() + " rows"
	}
	return s.String()
}
