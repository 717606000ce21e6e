package gate

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"tenfold/io/yamlerr"
)

// shown is how many annotations of a kind GitHub shows of one step.
const shown = 10

// GitHub writes workflow commands that annotate the experiment files: errors for what keeps the gate shut, warnings for
// what is inconclusive and passes all the same and for rules that let more pass than they did, notices for improvements and expected failures that no longer fail. at is
// the place of a rule of the i-th outcome; rule is −1 for what no rule is about.
func GitHub(w io.Writer, outcomes []Outcome, at func(outcome, rule int) (file string, line int)) error {
	a := newAnnotations(w)
	for i := range outcomes {
		o := &outcomes[i]
		failing := false
		for _, l := range o.lines() {
			file, line := at(i, l.Rule)
			failing = failing || l.Fails()
			if level := l.level(); level != "" {
				a.add(level, place(file, line, 0), fmt.Sprintf("%s: %s", o.Experiment, l.status), l.name()+": "+l.why)
			}
		}
		for _, n := range o.Warnings {
			file, line := at(i, -1)
			a.add("warning", place(file, line, 0), o.Experiment+": weaker", n)
		}
		if !failing && o.Worst() != Pass {
			file, line := at(i, -1)
			a.add("error", place(file, line, 0), o.Experiment+": incomplete", o.shut())
		}
	}
	return a.end("summary")
}

// GitHubMistakes writes workflow commands that annotate files with what is wrong in them. What has no place in a file is
// shown without one.
func GitHubMistakes(w io.Writer, mistakes yamlerr.Mistakes) error {
	a := newAnnotations(w)
	for _, m := range mistakes {
		at := ""
		switch {
		case m.Line > 0:
			at = place(m.File, m.Line, m.Column)
		case m.File != "":
			m.Msg = m.File + ": " + m.Msg
		}
		a.add("error", at, "cannot be checked", m.Msg)
	}
	return a.end("log")
}

// annotations writes workflow commands, of each level as many as are shown.
type annotations struct {
	out   *bufio.Writer
	count map[string]int
}

func newAnnotations(w io.Writer) *annotations {
	return &annotations{bufio.NewWriter(w), map[string]int{}}
}

func (a *annotations) add(level, place, title, message string) {
	if a.count[level]++; a.count[level] <= shown {
		fmt.Fprintf(a.out, "::%s %stitle=%s::%s\n", level, place, commandProperty.Replace(title), commandData.Replace(message))
	}
}

// end tells how many there are besides those that were written, and where these are found.
func (a *annotations) end(where string) error {
	for _, level := range []string{"error", "warning", "notice"} {
		if more := a.count[level] - shown; more > 0 {
			fmt.Fprintf(a.out, "and %d more of level %s, which GitHub would not show; they are in the %s\n", more, level, where)
		}
	}
	return a.out.Flush()
}

// place of an annotation, "" without a file; a column of 0 is none.
func place(file string, line, column int) string {
	if file == "" {
		return ""
	}
	at := fmt.Sprintf("file=%s,line=%d,", commandProperty.Replace(file), max(line, 1))
	if column > 0 {
		at += fmt.Sprintf("col=%d,", column)
	}
	return at
}

func (v *Verdict) level() string {
	switch {
	case v.Fails():
		return "error"
	case v.Tolerated:
		return "warning"
	case v.Status == Improvement, v.Reason != "" && v.Status == Pass:
		return "notice"
	}
	return ""
}

// Escapes of workflow commands (actions/toolkit, packages/core/src/command.ts).
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
