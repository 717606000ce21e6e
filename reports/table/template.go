package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/kind"
	"tenfold/io/results"
)

// template is a parsed cell text: "{accuracy} ± {accuracy.se} ({selected})".
type template struct{ parts []part }

// part is literal text, or a statistic of a metric.
type part struct{ text, metric, stat string }

var stats = []string{"mean", "se", "min", "max", "n"}

func parse(text string) (template, error) {
	var t template
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			open = len(text)
		}
		if open > 0 {
			t.parts = append(t.parts, part{text: text[:open]})
			text = text[open:]
			continue
		}
		end := strings.IndexByte(text, '}')
		if end < 2 {
			return t, kind.Errorf("cells", "expected {METRIC} or {METRIC.se}, found %q", text)
		}
		p := part{metric: text[1:end], stat: "mean"}
		// A metric may contain a dot (f:0.5), so only a known ending is a statistic.
		if dot := strings.LastIndexByte(p.metric, '.'); dot > 0 {
			switch ending := p.metric[dot+1:]; {
			case slices.Contains(stats, ending):
				p.metric, p.stat = p.metric[:dot], ending
			case strings.TrimLeft(ending, "0123456789") != "":
				return t, kind.Errorf("cells", "unknown statistic %q of %s%s (have %s)", ending, p.metric[:dot],
					kind.DidYouMean(ending, stats), strings.Join(stats, ", "))
			}
		}
		t.parts = append(t.parts, p)
		text = text[end+1:]
	}
	return t, nil
}

// primary is the metric that the template is about: its first.
func (t template) primary() string {
	for _, p := range t.parts {
		if p.metric != "" {
			return p.metric
		}
	}
	return ""
}

func (t template) shows(stat string) bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.stat == stat })
}

// withoutErrors drops the standard errors, and what stands between them and the number before: for tables that have none.
func (t template) withoutErrors() template {
	var out template
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

// missing stands for a number that does not exist.
const missing = "–"

// digits writes numbers of one metric with the same number of decimals, so that they can be compared down a column.
type digits struct{ decimals int }

// digitsFor gives four significant digits to the median of the numbers.
func digitsFor(all []results.Stat) digits {
	var sizes []float64
	whole, folds, most := true, 0, 0.0
	for _, s := range all {
		if s.N == 0 {
			continue
		}
		whole = whole && s.Whole
		folds, most = max(folds, s.N), max(most, s.Max)
		if m := math.Abs(s.Mean); m > 0 && !math.IsInf(m, 0) {
			sizes = append(sizes, m)
		}
	}
	switch {
	case whole && folds <= 1 || len(sizes) == 0:
		return digits{0}
	case whole && most > 1: // counts: what is 0 or 1 on every fold may be a share, of one test row
		return digits{1}
	}
	slices.Sort(sizes)
	leading := int(math.Floor(math.Log10(sizes[len(sizes)/2])))
	return digits{min(max(3-leading, 0), 6)}
}

// number is x with these decimals; where that would leave nothing of it, two significant digits.
func (d digits) number(x float64) string {
	switch {
	case math.IsNaN(x):
		return missing
	case math.IsInf(x, 0):
		return minus(strings.Replace(strconv.FormatFloat(x, 'g', -1, 64), "Inf", "∞", 1))
	case x != 0 && math.Abs(x) < 0.5*math.Pow10(-d.decimals):
		return minus(strconv.FormatFloat(x, 'g', 2, 64))
	}
	return minus(strconv.FormatFloat(x, 'f', d.decimals, 64))
}

// signed is number with the sign always shown.
func (d digits) signed(x float64) string {
	if x > 0 {
		return "+" + d.number(x)
	}
	return d.number(x)
}

// minus sets a true minus sign before a number.
func minus(s string) string {
	if strings.HasPrefix(s, "-") {
		return "−" + s[1:]
	}
	return s
}

// fill writes the template for one slot. stat gives the statistics of a metric, digit how to write them.
func (t template) fill(stat func(metric string) results.Stat, digit func(metric string) digits) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.metric == "" {
			b.WriteString(p.text)
			continue
		}
		s, d := stat(p.metric), digit(p.metric)
		switch p.stat {
		case "mean":
			b.WriteString(d.number(s.Mean))
		case "se":
			b.WriteString(d.number(s.SE))
		case "min":
			b.WriteString(d.number(s.Min))
		case "max":
			b.WriteString(d.number(s.Max))
		case "n":
			b.WriteString(strconv.Itoa(s.N))
		}
	}
	return b.String()
}
