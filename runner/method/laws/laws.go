// Package laws checks properties of methods that tenfold relies on and that no single answer shows: the same request has the same
// answer, nothing is kept from one fit for the next, a process ends when it is asked to. Each law runs the method on data made for
// it.
package laws

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tenfold/engines/data"
	"tenfold/engines/suggest"
	"tenfold/runner/method/declaration"
)

// Verdict is the judgement of a method by one law.
type Verdict string

// Verdicts, from the best to the worst.
const (
	Skipped Verdict = "skipped" // it does not apply, or cannot be judged here
	Passes  Verdict = "passes"
	Noted   Verdict = "noted" // harmless to comparisons, but worth knowing
	Fails   Verdict = "fails"
)

var order = []Verdict{Skipped, Passes, Noted, Fails}

// Finding is the result of one law.
type Finding struct {
	Law      string  `json:"law"`
	Verdict  Verdict `json:"verdict"`
	Found    string  `json:"found"`
	Expected string  `json:"expected"`
}

// Options holds the options of a check.
type Options struct {
	Skip  []string      // names of laws to skip
	Grace time.Duration // time for a process to end after SIGTERM; 0: ten seconds
	Limit time.Duration // time limit of a fit and its predictions; 0: two minutes
	Temp  string        // folder of temporary files in which stray writes are looked for; "": the system's
	Tell  func(Finding) // is called with each finding as it comes; may be nil
	// Settings holds values of words that the experiment gives to parameters, by place, for which the laws of test rows are checked,
	// too: by a word, a method can become another one.
	Settings []map[int]any
}

// law is a property of methods that tenfold relies on.
type law struct {
	name, expects string
	judge         func(*trial) (Verdict, string)
	once          bool // checked with one type of response only
	unanswered    bool // judged if the method gives no answer, too
}

// all returns the laws, in the order in which they are checked. The first one is presupposed by all others.
func all() []law {
	return slices.Concat(lawsOfAnswers(), lawsOfData(), lawsOfTestRows(), lawsOfProcesses(), []law{
		{name: "code", expects: "what the program reads in the folder of the declaration is among the code, so that results are void when it changes", judge: judgeCode, once: true, unanswered: true},
	})
}

// Names returns the names of the laws.
func Names() []string {
	var out []string
	for _, l := range all() {
		out = append(out, l.name)
	}
	return out
}

// Check checks a method by all laws that are not skipped. An error is one of this system, or of the options; faults of a method are
// findings.
func Check(ctx context.Context, d *declaration.Declaration, o Options) (found []Finding, err error) {
	for _, name := range o.Skip {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("no law is named %q%s", name, suggest.Choices(name, Names()))
		}
	}
	c, err := newChecker(ctx, d, o)
	if err != nil {
		return nil, err
	}
	defer c.close()
	var trials []*trial
	for _, response := range responseTypes(d) {
		t := &trial{checker: c, response: response}
		if err := t.prepare(); err != nil {
			return nil, err
		}
		trials = append(trials, t)
	}
	for _, l := range all() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if slices.Contains(o.Skip, l.name) {
			found = append(found, Finding{l.name, Skipped, "as asked for", l.expects})
		} else {
			found = append(found, l.look(trials))
		}
		if o.Tell != nil && ctx.Err() == nil {
			o.Tell(found[len(found)-1])
		}
	}
	return found, c.system
}

// look judges all trials that the law applies to; the worst verdict counts.
func (l law) look(trials []*trial) Finding {
	out := Finding{Law: l.name, Expected: l.expects}
	for i, t := range trials {
		if i > 0 && l.once {
			break
		}
		verdict, text := Skipped, "nothing can be asked of a method that gives no answer"
		if l.unanswered || t.answered {
			verdict, text = l.judge(t)
		}
		if i > 0 && slices.Index(order, verdict) <= slices.Index(order, out.Verdict) {
			continue
		}
		if len(trials) > 1 && !l.once && (verdict == Fails || verdict == Noted) {
			text = t.response.String() + ": " + text
		}
		out.Verdict, out.Found = verdict, text
	}
	return out
}

// responseTypes returns the types of response that a method accepts.
func responseTypes(d *declaration.Declaration) []data.Type {
	var out []data.Type
	for _, response := range []data.Type{data.Real, data.Class, data.Survival} {
		if len(d.Target) == 0 && response != data.Survival || slices.Contains(d.Target, response.String()) {
			out = append(out, response)
		}
	}
	return out
}

// judgeCode checks that files in the folder of the declaration are declared as code if the command names them, or if the processes of
// all laws opened them.
func judgeCode(t *trial) (Verdict, string) {
	d := t.method
	switch {
	case len(d.Code) == 0:
		return Noted, "no code is declared: results are of one run alone, and every run fits again"
	case slices.Contains(d.Code, declaration.CodeNone):
		return Passes, "the line that version prints alone decides"
	}
	files, err := d.Files()
	if err != nil {
		return Fails, err.Error()
	}
	for _, path := range d.FilesNamed(d.Command) {
		if !slices.ContainsFunc(files, func(f declaration.CodeFile) bool { return f.Path == path }) {
			return Fails, fmt.Sprintf("%s of the command is not among the code", path)
		}
	}
	if opened := t.undeclared(); len(opened) > 0 {
		return Fails, fmt.Sprintf("it opened %s, not among the code", abridge(opened))
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Path
	}
	return Passes, strings.Join(names, ", ")
}

// abridge joins the first of many names.
func abridge(names []string) string {
	const most = 5
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}
