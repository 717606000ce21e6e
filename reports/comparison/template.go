package comparison

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

// cellTemplate is a parsed cell text: "{accuracy} ± {accuracy.se} ({selected})".
type cellTemplate struct{ parts []templatePart }

// templatePart is literal text, or a statistic of a metric: over folds or tasks, or of the micro average over their test rows.
type templatePart struct {
	text, metric, stat string
	micro              bool
}

// micro precedes the statistics that a micro average has, or stands alone for the average itself.
const micro = "micro"

// measure holds the statistics of a metric in a slot.
type measure struct {
	results.Stat
	Median float64      // NaN if no cell text asks for it
	Micro  results.Stat // over all test rows; without values if no cell text asks for it

	resampled bool // standard error and interval are the bootstrap's
}

// metricStatistic is a statistic of a metric in a slot. A spread has the decimals of its mean, even if it rounds to zero.
type metricStatistic struct {
	name  string
	write func(d digits.Decimals, m measure) string
	micro bool // a micro average has it, too
}

// statistics lists all except the micro average.
var statistics = []metricStatistic{
	{"mean", func(d digits.Decimals, m measure) string { return d.Number(m.Mean) }, true},
	{"se", func(d digits.Decimals, m measure) string { return d.Spread(m.SE) }, true},
	{"sd", func(d digits.Decimals, m measure) string { return d.Spread(m.SD) }, false},
	{"low", func(d digits.Decimals, m measure) string { return d.Number(m.Low) }, true},
	{"high", func(d digits.Decimals, m measure) string { return d.Number(m.High) }, true},
	{"median", func(d digits.Decimals, m measure) string { return d.Number(m.Median) }, false},
	{"min", func(d digits.Decimals, m measure) string { return d.Number(m.Min) }, false},
	{"max", func(d digits.Decimals, m measure) string { return d.Number(m.Max) }, false},
	{"n", func(_ digits.Decimals, m measure) string { return strconv.Itoa(m.N) }, false},
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

func parseTemplate(text string) (cellTemplate, error) {
	var t cellTemplate
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			open = len(text)
		}
		if open > 0 {
			t.parts = append(t.parts, templatePart{text: text[:open]})
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
		t.parts = append(t.parts, p)
		text = text[end+1:]
	}
	return t, nil
}

// parsePart reads the text in braces. A metric may contain a dot (f:0.5), so only a known ending is a statistic.
func parsePart(text string) (templatePart, error) {
	p := templatePart{metric: text, stat: "mean"}
	dot := strings.LastIndexByte(text, '.')
	if dot <= 0 {
		return p, nil
	}
	endings := append(statisticNames(false), micro)
	switch ending := text[dot+1:]; {
	case slices.Contains(endings, ending):
		p.metric, p.stat = text[:dot], ending
	case strings.TrimLeft(ending, "0123456789") != "":
		return p, param.Errorf("cells", "unknown statistic %q of %s%s (have %s)", ending, text[:dot],
			suggest.DidYouMean(ending, endings), strings.Join(endings, ", "))
	}
	of, more := strings.CutSuffix(p.metric, "."+micro)
	switch {
	case p.stat == micro:
		p.micro, p.stat = true, "mean"
	case more && !slices.Contains(statisticNames(true), p.stat):
		return p, param.Errorf("cells", "%s.%s has no %s (have %s)", of, micro, p.stat, strings.Join(statisticNames(true), ", "))
	case more:
		p.micro, p.metric = true, of
	}
	return p, nil
}

// checkPoolable returns an error if a metric has no micro average; have lists some that do.
func checkPoolable(field, metric string, of results.Properties, have []string) error {
	if of.RowMean() {
		return nil
	}
	return param.Errorf(field, "%s is no mean over test rows, so it has no %s average%s", metric, micro, suggestNames(have))
}

func suggestNames(have []string) string {
	if len(have) == 0 {
		return ""
	}
	return fmt.Sprintf(" (have %s)", strings.Join(have, ", "))
}

// pooledMetrics yields every metric whose micro average the template shows, with the field that names it: for {value}, those shown.
func (t cellTemplate) pooledMetrics(shown []string, yield func(field, metric string)) {
	var told []string
	for _, p := range t.parts {
		field, metrics := "cells", []string{p.metric}
		if p.metric == "value" {
			field, metrics = "metric", shown
		}
		if p.micro && !slices.Contains(told, p.metric) {
			told = append(told, p.metric)
			for _, m := range metrics {
				yield(field, m)
			}
		}
	}
}

// hasValue reports whether the template shows {value}, the metric of a row or column.
func (t cellTemplate) hasValue() bool {
	return slices.ContainsFunc(t.parts, func(p templatePart) bool { return p.metric == "value" })
}

// primaryMetric returns the metric that the template is about: its first.
func (t cellTemplate) primaryMetric() string {
	for _, p := range t.parts {
		if p.metric != "" {
			return p.metric
		}
	}
	return ""
}

// isBracketed reports whether a metric stands in brackets.
func (t cellTemplate) isBracketed(metric string) bool {
	for i, p := range t.parts {
		if p.metric == metric && i > 0 && strings.HasSuffix(t.parts[i-1].text, "(") {
			return true
		}
	}
	return false
}

func (t cellTemplate) showsStatistic(stat string) bool {
	return slices.ContainsFunc(t.parts, func(p templatePart) bool { return p.stat == stat && !p.micro })
}

// hasPooled reports whether some metric is shown as its micro average.
func (t cellTemplate) hasPooled() bool {
	return slices.ContainsFunc(t.parts, func(p templatePart) bool { return p.micro })
}

// withoutErrors removes the standard errors, and the text between them and the number before: for columns that have none.
func (t cellTemplate) withoutErrors() cellTemplate {
	var out cellTemplate
	for _, p := range t.parts {
		if n := len(out.parts); p.stat == "se" {
			if n > 0 && out.parts[n-1].metric == "" {
				out.parts = out.parts[:n-1]
			}
			continue
		}
		out.parts = append(out.parts, p)
	}
	return out
}

// write writes the template for one place; of returns the statistics of a metric, and how to write them. Behind the last of a metric
// that some folds lack stands on how many it has a value, "[4/5]".
func (t cellTemplate) write(of func(metric string) (measure, digits.Decimals)) string {
	var b strings.Builder
	for k, p := range t.parts {
		b.WriteString(p.text)
		if p.metric == "" {
			continue
		}
		m, d := of(p.metric)
		if p.micro {
			m.Stat = m.Micro
		}
		i := slices.IndexFunc(statistics, func(s metricStatistic) bool { return s.name == p.stat })
		b.WriteString(statistics[i].write(d, m))
		again := func(later templatePart) bool { return later.metric == p.metric && !later.micro }
		if m.State() == results.Incomplete && !p.micro && !slices.ContainsFunc(t.parts[k+1:], again) {
			fmt.Fprintf(&b, " [%d/%d]", m.N, m.Of)
		}
	}
	return b.String()
}
