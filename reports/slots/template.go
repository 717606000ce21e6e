// Package slots writes the slots of tables by a template, such as "{accuracy} ± {accuracy.se} ({selected})": a metric in braces stands for
// its mean, with an ending for another statistic, or for the micro average over test rows. How results are measured, and with how many
// decimals numbers are written, the caller says.
package slots

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/reports/digits"
)

// Template is a parsed cell text: "{accuracy} ± {accuracy.se} ({selected})".
type Template struct{ Parts []Part }

// Part is literal text, or a statistic of a metric: over folds or tasks, or of the micro average over their test rows.
type Part struct {
	text, Metric, Stat string
	Micro              bool
}

// Micro precedes the statistics that a micro average has, or stands alone for the average itself.
const Micro = "micro"

// Measure holds the statistics of a metric in a slot.
type Measure struct {
	results.Stat
	Median float64      // NaN if no cell text asks for it
	Micro  results.Stat // over all test rows; without values if no cell text asks for it

	Resampled bool // standard error and interval are the bootstrap's
}

// metricStatistic is a statistic of a metric in a slot. A spread has the decimals of its mean, even if it rounds to zero.
type metricStatistic struct {
	name  string
	write func(d digits.Decimals, m Measure) string
	micro bool // a micro average has it, too
}

// statistics lists all except the micro average.
var statistics = []metricStatistic{
	{"mean", func(d digits.Decimals, m Measure) string { return d.Number(m.Mean) }, true},
	{"se", func(d digits.Decimals, m Measure) string { return d.Spread(m.SE) }, true},
	{"sd", func(d digits.Decimals, m Measure) string { return d.Spread(m.SD) }, false},
	{"low", func(d digits.Decimals, m Measure) string { return d.Number(m.Low) }, true},
	{"high", func(d digits.Decimals, m Measure) string { return d.Number(m.High) }, true},
	{"median", func(d digits.Decimals, m Measure) string { return d.Number(m.Median) }, false},
	{"min", func(d digits.Decimals, m Measure) string { return d.Number(m.Min) }, false},
	{"max", func(d digits.Decimals, m Measure) string { return d.Number(m.Max) }, false},
	{"n", func(_ digits.Decimals, m Measure) string { return strconv.Itoa(m.N) }, false},
}

// statisticNames returns those of any metric, or of a micro average alone.
func statisticNames(ofMicro bool) []string {
	var names []string
	for _, s := range statistics {
		if s.micro || !ofMicro {
			names = append(names, s.name)
		}
	}
	return names
}

// Parse reads a template. Errors are of the key cells.
func Parse(text string) (Template, error) {
	var t Template
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			open = len(text)
		}
		if open > 0 {
			t.Parts = append(t.Parts, Part{text: text[:open]})
			text = text[open:]
			continue
		}
		end := strings.IndexByte(text, '}')
		if end < 2 {
			return t, param.Errorf("cells", "expected {METRIC} or {METRIC.se}, found %q", text)
		}
		p, err := parsePart(text[1:end])
		if err != nil {
			return t, err
		}
		t.Parts = append(t.Parts, p)
		text = text[end+1:]
	}
	return t, nil
}

// parsePart reads the text in braces. A metric may contain a dot (f:0.5), so only a known ending is a statistic.
func parsePart(text string) (Part, error) {
	p := Part{Metric: text, Stat: "mean"}
	dot := strings.LastIndexByte(text, '.')
	if dot <= 0 {
		return p, nil
	}
	endings := append(statisticNames(false), Micro)
	switch ending := text[dot+1:]; {
	case slices.Contains(endings, ending):
		p.Metric, p.Stat = text[:dot], ending
	case strings.TrimLeft(ending, "0123456789") != "":
		return p, param.Errorf("cells", "unknown statistic %q of %s%s (have %s)", ending, text[:dot],
			suggest.DidYouMean(ending, endings), strings.Join(endings, ", "))
	}
	metric, more := strings.CutSuffix(p.Metric, "."+Micro)
	switch {
	case p.Stat == Micro:
		p.Micro, p.Stat = true, "mean"
	case more && !slices.Contains(statisticNames(true), p.Stat):
		return p, param.Errorf("cells", "%s.%s has no %s (have %s)", metric, Micro, p.Stat, strings.Join(statisticNames(true), ", "))
	case more:
		p.Micro, p.Metric = true, metric
	}
	return p, nil
}

// CheckPoolable returns an error if a metric has no micro average; have lists some that do.
func CheckPoolable(field, metric string, properties results.Properties, have []string) error {
	if properties.RowMean() {
		return nil
	}
	return param.Errorf(field, "%s is no mean over test rows, so it has no %s average%s", metric, Micro, SuggestNames(have))
}

// SuggestNames returns the end of an error that lists names, "" if there are none.
func SuggestNames(have []string) string {
	if len(have) == 0 {
		return ""
	}
	return fmt.Sprintf(" (have %s)", strings.Join(have, ", "))
}

// PooledMetrics yields every metric whose micro average the template shows, with the field that names it: for {value}, those shown.
func (t Template) PooledMetrics(shown []string, yield func(field, metric string)) {
	var told []string
	for _, p := range t.Parts {
		field, metrics := "cells", []string{p.Metric}
		if p.Metric == "value" {
			field, metrics = "metric", shown
		}
		if p.Micro && !slices.Contains(told, p.Metric) {
			told = append(told, p.Metric)
			for _, m := range metrics {
				yield(field, m)
			}
		}
	}
}

// HasValue reports whether the template shows {value}, the metric of a row or column.
func (t Template) HasValue() bool {
	return slices.ContainsFunc(t.Parts, func(p Part) bool { return p.Metric == "value" })
}

// PrimaryMetric returns the metric that the template is about: its first.
func (t Template) PrimaryMetric() string {
	for _, p := range t.Parts {
		if p.Metric != "" {
			return p.Metric
		}
	}
	return ""
}

// IsBracketed reports whether a metric stands in brackets.
func (t Template) IsBracketed(metric string) bool {
	for i, p := range t.Parts {
		if p.Metric == metric && i > 0 && strings.HasSuffix(t.Parts[i-1].text, "(") {
			return true
		}
	}
	return false
}

// ShowsStatistic reports whether the template shows a statistic of some metric other than a micro average.
func (t Template) ShowsStatistic(stat string) bool {
	return slices.ContainsFunc(t.Parts, func(p Part) bool { return p.Stat == stat && !p.Micro })
}

// HasPooled reports whether some metric is shown as its micro average.
func (t Template) HasPooled() bool {
	return slices.ContainsFunc(t.Parts, func(p Part) bool { return p.Micro })
}

// WithoutErrors removes the standard errors, and the text between them and the number before: for columns that have none.
func (t Template) WithoutErrors() Template {
	var out Template
	for _, p := range t.Parts {
		if n := len(out.Parts); p.Stat == "se" {
			if n > 0 && out.Parts[n-1].Metric == "" {
				out.Parts = out.Parts[:n-1]
			}
			continue
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}

// Write writes the template for one place; values returns the statistics of a metric, and how to write them. Behind the last of a metric
// that some folds lack stands on how many it has a value, "[4/5]".
func (t Template) Write(values func(metric string) (Measure, digits.Decimals)) string {
	var b strings.Builder
	for k, p := range t.Parts {
		b.WriteString(p.text)
		if p.Metric == "" {
			continue
		}
		m, d := values(p.Metric)
		if p.Micro {
			m.Stat = m.Micro
		}
		i := slices.IndexFunc(statistics, func(s metricStatistic) bool { return s.name == p.Stat })
		b.WriteString(statistics[i].write(d, m))
		again := func(later Part) bool { return later.Metric == p.Metric && !later.Micro }
		if m.State() == results.Incomplete && !p.Micro && !slices.ContainsFunc(t.Parts[k+1:], again) {
			fmt.Fprintf(&b, " [%d/%d]", m.N, m.Of)
		}
	}
	return b.String()
}
