package gate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// shown is how many annotations of a kind GitHub shows of one step.
const shown = 10

// GitHub writes workflow commands that annotate the experiment files: errors for what keeps the gate shut, warnings for
// what is inconclusive and passes all the same, notices for improvements and expected failures that no longer fail. at is
// the place of a rule of the i-th outcome; rule is −1 for what no rule is about.
func GitHub(w io.Writer, outcomes []Outcome, at func(outcome, rule int) (file string, line int)) error {
	out := bufio.NewWriter(w)
	count := map[string]int{}
	annotate := func(level, file string, line int, title, message string) {
		if count[level]++; count[level] > shown {
			return
		}
		place := ""
		if file != "" {
			place = fmt.Sprintf("file=%s,line=%d,", commandProperty.Replace(file), max(line, 1))
		}
		fmt.Fprintf(out, "::%s %stitle=%s::%s\n", level, place, commandProperty.Replace(title), commandData.Replace(message))
	}
	for i := range outcomes {
		o := &outcomes[i]
		failing := false
		for _, l := range o.lines() {
			file, line := at(i, l.Rule)
			failing = failing || l.Fails()
			if level := l.level(); level != "" {
				annotate(level, file, line, fmt.Sprintf("%s: %s", o.Experiment, l.status), l.name()+": "+l.why)
			}
		}
		if !failing && o.Worst() != Pass {
			file, line := at(i, -1)
			annotate("error", file, line, o.Experiment+": incomplete", "nothing was measured")
		}
	}
	for _, level := range []string{"error", "warning", "notice"} {
		if more := count[level] - shown; more > 0 {
			fmt.Fprintf(out, "and %d more of level %s, which GitHub would not show; they are in the summary\n", more, level)
		}
	}
	return out.Flush()
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
