package render

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"tenfold/io/strictyaml"
	"tenfold/reports/gate"
)

// maxAnnotations is how many annotations of a kind GitHub shows of one step.
const maxAnnotations = 10

// GitHub writes workflow commands that annotate the experiment files: errors for verdicts that fail the gate, warnings
// for tolerated inconclusive ones and for weaker rules, notices for improvements and for expected failures that no longer
// fail. placeOf returns the place of a rule of the i-th outcome; rule is −1 for verdicts without a rule.
func GitHub(w io.Writer, outcomes []gate.Outcome, placeOf func(outcome, rule int) (file string, line int)) error {
	a := newAnnotations(w)
	for i := range outcomes {
		o := &outcomes[i]
		failing := false
		for _, l := range newLines(o) {
			file, line := placeOf(i, l.Rule)
			failing = failing || l.Fails()
			if level := annotationLevel(l.Verdict); level != "" {
				a.add(level, annotationPlace(file, line, 0), fmt.Sprintf("%s: %s", o.Experiment, l.status), subject(l.Verdict)+": "+l.why)
			}
		}
		for _, n := range o.Warnings {
			file, line := placeOf(i, -1)
			a.add("warning", annotationPlace(file, line, 0), o.Experiment+": weaker", n)
		}
		if !failing && o.Worst() != gate.Pass {
			file, line := placeOf(i, -1)
			a.add("error", annotationPlace(file, line, 0), o.Experiment+": incomplete", o.FailureReason())
		}
	}
	return a.flush("summary")
}

// GitHubMistakes writes workflow commands that annotate files with the mistakes in them. Mistakes without a place are
// shown without one.
func GitHubMistakes(w io.Writer, mistakes strictyaml.Mistakes) error {
	a := newAnnotations(w)
	for _, m := range mistakes {
		place := ""
		switch {
		case m.Line > 0:
			place = annotationPlace(m.File, m.Line, m.Column)
		case m.File != "":
			m.Msg = m.File + ": " + m.Msg
		}
		a.add("error", place, "cannot be checked", m.Msg)
	}
	return a.flush("log")
}

// annotations writes workflow commands, at most maxAnnotations of each level.
type annotations struct {
	out   *bufio.Writer
	count map[string]int
}

func newAnnotations(w io.Writer) *annotations {
	return &annotations{bufio.NewWriter(w), map[string]int{}}
}

func (a *annotations) add(level, place, title, message string) {
	if a.count[level]++; a.count[level] <= maxAnnotations {
		fmt.Fprintf(a.out, "::%s %stitle=%s::%s\n", level, place, commandProperty.Replace(title), commandData.Replace(message))
	}
}

// flush says how many annotations were left out, and where to find them.
func (a *annotations) flush(where string) error {
	for _, level := range []string{"error", "warning", "notice"} {
		if more := a.count[level] - maxAnnotations; more > 0 {
			fmt.Fprintf(a.out, "and %d more of level %s, which GitHub would not show; they are in the %s\n", more, level, where)
		}
	}
	return a.out.Flush()
}

// annotationPlace formats the place of an annotation, "" without a file; column 0 is left out.
func annotationPlace(file string, line, column int) string {
	if file == "" {
		return ""
	}
	place := fmt.Sprintf("file=%s,line=%d,", commandProperty.Replace(file), max(line, 1))
	if column > 0 {
		place += fmt.Sprintf("col=%d,", column)
	}
	return place
}

func annotationLevel(v *gate.Verdict) string {
	switch {
	case v.Fails():
		return "error"
	case v.Tolerated:
		return "warning"
	case v.Status == gate.Improvement, v.Reason != "" && v.Status == gate.Pass:
		return "notice"
	}
	return ""
}

// Escapes of workflow commands (actions/toolkit, packages/core/src/command.ts).
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// subject names what the verdict is about: data set, algorithm and metric.
func subject(v *gate.Verdict) string {
	return strings.Join(slices.DeleteFunc([]string{v.Dataset, v.Algorithm, v.Metric}, func(s string) bool { return s == "" }), ", ")
}
