package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/sanitize"
	"tenfold/reports/paired"
)

// warnWeaker warns of every way in which the rules became weaker since the baseline was accepted: for each part of an old
// rule (a comparison, a minimum, a maximum) and each cell that it covers, some present rule has to be as strict.
func (c *checker) warnWeaker(rules []indexedRule) {
	if c.Baseline.Experiment != c.Experiment {
		c.addWarning("the baseline is of the experiment %s", c.Baseline.Experiment)
	}
	c.warnUnruled(rules)
	for _, then := range c.Baseline.Rules {
		about := map[string][]string{} // cells by what is weaker
		for _, p := range c.labelled {
			if !c.isJudged(p) || !then.covers(p) {
				continue
			}
			var now []Rule
			for _, r := range rules {
				if r.Metric == then.Metric && r.covers(p) {
					now = append(now, r.Rule)
				}
			}
			for _, words := range c.lostConditions(then, now, p) {
				about[words] = append(about[words], p.dataset+", "+p.algorithm)
			}
		}
		for _, words := range slices.Sorted(maps.Keys(about)) {
			c.addWarning("%s: %s (%s)", then.Metric, words, strings.Join(about[words], "; "))
		}
	}
}

// warnUnruled warns of recorded numbers of present cells that no rule compares any more. Being the reference of others is enough for
// those that were recorded as nothing else.
func (c *checker) warnUnruled(rules []indexedRule) {
	about := map[string][]string{}                    // by metric
	records := map[string][]func(labelledCell) bool{} // likewise
	for _, r := range rules {
		records[r.Metric] = append(records[r.Metric], r.records(c.labelled))
	}
	ruled := func(metric string, p labelledCell) bool {
		if slices.ContainsFunc(c.Baseline.Rules, func(r Rule) bool { return r.comparesRecord(metric, p) }) {
			return slices.ContainsFunc(rules, func(r indexedRule) bool { return r.comparesRecord(metric, p) })
		}
		return slices.ContainsFunc(records[metric], func(recorded func(labelledCell) bool) bool { return recorded(p) })
	}
	for _, p := range c.labelled {
		entry, _ := c.Baseline.entryOf(p.dataset, p.algorithm)
		for metric, record := range entry.Metrics {
			if record.Mean != nil && c.isJudged(p) && !ruled(metric, p) {
				about[metric] = append(about[metric], p.dataset+", "+p.algorithm)
			}
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(about)) {
		c.addWarning("%s: recorded, and no rule compares it any more (%s); accept it again if that is meant", metric, strings.Join(about[metric], "; "))
	}
}

// comparesRecord reports whether the rule compares a metric of a cell with its record.
func (r Rule) comparesRecord(metric string, p labelledCell) bool {
	return r.usesBaseline() && r.Metric == metric && r.matches(p)
}

// lostConditions says what an old rule asked of a cell that no present rule of the same metric asks.
func (c *checker) lostConditions(then Rule, now []Rule, p labelledCell) (words []string) {
	if then.usesBaseline() || then.Against != "" {
		entry, _ := c.Baseline.entryOf(p.dataset, p.algorithm)
		mean := entry.Metrics[then.Metric].Mean
		var all []string
		same := slices.DeleteFunc(slices.Clone(now), func(r Rule) bool {
			return r.Against != then.Against || r.Against == "" && !r.usesBaseline()
		})
		for _, r := range same {
			all = append(all, r.looserParts(then, mean))
		}
		switch {
		case slices.Contains(all, ""):
		case len(all) > 0:
			words = append(words, all[0])
		case then.Against != "":
			words = append(words, "no rule compares it with "+then.Against+" any more")
		case mean == nil: // else unruled says so
			words = append(words, "no rule compares it any more")
		}
	}
	words = append(words, boundChange("minimum", then.Min, now, func(r Rule) *float64 { return r.Min }, func(a, b float64) bool { return a >= b })...)
	return append(words, boundChange("maximum", then.Max, now, func(r Rule) *float64 { return r.Max }, func(a, b float64) bool { return a <= b })...)
}

// boundChange says what became of a minimum or maximum that no present rule keeps.
func boundChange(what string, then *float64, now []Rule, bound func(Rule) *float64, keeps func(now, then float64) bool) []string {
	if then == nil {
		return nil
	}
	var other *float64
	for _, r := range now {
		if x := bound(r); x != nil {
			if keeps(*x, *then) {
				return nil
			}
			other = cmp.Or(other, x)
		}
	}
	if other == nil {
		return []string{fmt.Sprintf("the %s of %s is gone", what, exactText(*then))}
	}
	return []string{fmt.Sprintf("the %s is now %s, %s when the baseline was accepted", what, exactText(*other), exactText(*then))}
}

// looserParts says how a comparison may be weaker than the old one, "" if it is not. A different test always may be.
func (r Rule) looserParts(then Rule, mean *float64) string {
	var words []string
	add := func(what, now, was string) {
		words = append(words, fmt.Sprintf("%s is now %s, %s when the baseline was accepted", what, now, was))
	}
	if isWider(r.Margin, then.Margin, mean) {
		add("the margin", marginText(r.Margin), marginText(then.Margin))
	}
	if r.Test != then.Test {
		add("the test", cmp.Or(r.Test, "none"), cmp.Or(then.Test, "none"))
	}
	// A higher level shows "within the margin" more easily; a lower one shows less to be worse, which matters where the
	// inconclusive passes.
	if r.Test != "" && (r.Alpha > then.Alpha || r.Alpha < then.Alpha && r.Inconclusive == "pass") {
		add("alpha", exactText(r.Alpha), exactText(then.Alpha))
	}
	if r.Test != "" && r.Inconclusive == "pass" && then.Inconclusive != "pass" {
		add("inconclusive", r.Inconclusive, then.Inconclusive)
	}
	return strings.Join(words, ", ")
}

// isWider reports whether a margin allows more than the old one; mean is the recorded one, to compare a relative with an
// absolute margin.
func isWider(now, then paired.Margin, mean *float64) bool {
	now, then = marginOrDefault(now), marginOrDefault(then)
	switch {
	case now.Relative != nil && then.Relative != nil:
		return *now.Relative > *then.Relative
	case now.Absolute != nil && then.Absolute != nil:
		return *now.Absolute > *then.Absolute
	case mean == nil:
		return true
	}
	return now.Of(*mean) > then.Of(*mean)
}

func (c *checker) addWarning(format string, args ...any) {
	c.out.Warnings = append(c.out.Warnings, sanitize.Line(fmt.Sprintf(format, args...)))
}
