package laws

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tenfold/engines/data"
	"tenfold/runner/method/declaration"
)

// oneSeed is the seed of the fits that are compared.
const oneSeed = 1

// prepare makes the usual table of a trial, and the first answer.
func (t *trial) prepare() (err error) {
	levels := 0
	if t.response == data.Class {
		levels = 2
	}
	t.rows = newTable(t.method, t.response, 1, usualRows, usualTests, usualColumns, 0.9, levels)
	t.plain, err = t.rows.sample()
	return err
}

// fitTable fits a table and returns the answer, and the text of its error; an error of this system is kept.
func (t *trial) fitTable(rows table, w way) (answer, string) {
	s, err := rows.sample()
	if err != nil {
		t.system = err
		return answer{}, err.Error()
	}
	return t.fitSample(s, w)
}

func (t *trial) fitSample(s sample, w way) (answer, string) {
	if w.seed == 0 {
		w.seed = oneSeed
	}
	a, err := t.fit(s, w)
	if err != nil {
		return a, err.Error()
	}
	return a, ""
}

// compare compares the answer to a sample with the first one, to the last bit.
func (t *trial) compare(s sample, w way, well string) (Verdict, string) {
	if t.varies {
		return Skipped, "the same request has several answers"
	}
	a, failed := t.fitSample(s, w)
	if failed != "" {
		return Fails, failed
	}
	if words := difference(t.first, a); words != "" {
		return Fails, words
	}
	return Passes, well
}

func lawsOfAnswers() []law {
	return []law{
		{name: "answers", expects: "what is declared is handed back, in the right shapes, with finite numbers", judge: judgeAnswers, unanswered: true},
		{name: "again", expects: "the same request, with the same seed, has the same answer to the last bit, or deterministic: false is declared", judge: judgeAgain},
		{name: "seed", expects: "all randomness comes from the seed of the request; deterministic: false is declared where it does not", judge: judgeSeed},
		{name: "workers", expects: "another number of workers gives the same answer", judge: func(t *trial) (Verdict, string) {
			return t.compare(t.plain, way{workers: 4}, "1 and 4 workers: one answer")
		}},
		{name: "folder", expects: "another exchange folder gives the same answer, with blanks in its name, too", judge: judgeFolder},
		{name: "names", expects: "names of columns and levels do not count, whatever characters they have", judge: judgeNames},
		{name: "fresh", expects: "nothing of a fit is kept for another: after a fit of other rows the answer is the same", judge: judgeFresh},
		{name: "reuse", expects: "a process that fits again (reuse: fold) answers as a new one", judge: judgeReuse},
		{name: "parameters", expects: "each parameter changes the answer for some value, or some value is refused", judge: judgeParameters, once: true},
		{name: "unknown", expects: "a parameter that the program does not know is refused, lest nobody reads a misspelt one", judge: judgeUnknown, once: true},
	}
}

func judgeAnswers(t *trial) (Verdict, string) {
	begin := time.Now()
	a, failed := t.fitSample(t.plain, way{})
	t.took = time.Since(begin)
	if failed != "" {
		return Fails, failed
	}
	t.first, t.answered = a, true
	return Passes, fmt.Sprintf("%d of %d columns selected", len(a.selected()), usualColumns)
}

func judgeAgain(t *trial) (Verdict, string) {
	words := ""
	for range 2 {
		a, failed := t.fitSample(t.plain, way{})
		if failed != "" {
			return Fails, failed
		}
		if d := difference(t.first, a); words == "" {
			words = d
		}
	}
	t.varies = words != ""
	switch {
	case !t.varies:
		return Passes, "three fits, one answer"
	case t.method.Deterministic:
		return Fails, words
	}
	return Passes, "as declared: " + words
}

func judgeSeed(t *trial) (Verdict, string) {
	if t.varies && t.method.Deterministic {
		return Skipped, "the same request has several answers"
	}
	if t.varies {
		return Passes, "answers differ for one seed, as declared"
	}
	a, failed := t.fitSample(t.plain, way{seed: 2})
	if failed != "" {
		return Fails, failed
	}
	t.drawn = difference(t.first, a) != ""
	switch {
	case !t.method.Deterministic && t.drawn:
		return Noted, "deterministic: false is declared, and answers follow the seed: without it results would not be marked"
	case !t.method.Deterministic:
		return Noted, "deterministic: false is declared, and three fits and two seeds gave one answer: without it results would not be marked"
	case t.drawn:
		return Passes, "answers follow the seed"
	}
	return Passes, "answers do not depend on the seed"
}

func judgeFolder(t *trial) (Verdict, string) {
	h := t.newHost("another exchange folder, ünder \"this\" one", t.watch)
	defer h.Close()
	return t.compare(t.plain, way{host: h}, "one answer")
}

func judgeNames(t *trial) (Verdict, string) {
	odd := t.rows
	odd.names = slices.Clone(t.rows.names)
	copy(odd.names, []string{"a,b", `say "so"`, "ü ñ 名", "a b\tc", "#x", "-1", "'it'", `back\slash`})
	if t.response == data.Class {
		odd.levels = []string{`no, "never"`, "ja, für 1"}
	}
	s, err := odd.sample()
	if err != nil {
		t.system = err
		return Skipped, err.Error()
	}
	return t.compare(s, way{}, "one answer")
}

// judgeFresh fits the same rows after other rows, twice. It finds methods whose processes leave something in a file that the next
// one reads.
func judgeFresh(t *trial) (Verdict, string) {
	if t.varies {
		return Skipped, "the same request has several answers"
	}
	for seed := range uint64(2) {
		other := newTable(t.method, t.response, 20+seed, usualRows+int(seed)*7, usualTests, usualColumns, 0.9, len(t.rows.levels))
		if t.response == data.Real {
			for i := range other.y {
				other.y[i] += float64(5 + 5*seed)
			}
		}
		if _, failed := t.fitTable(other, way{}); failed != "" {
			return Fails, failed
		}
		verdict, text := t.compare(t.plain, way{}, "one answer, before and after fits of other rows")
		if verdict != Passes || seed == 1 {
			return verdict, text
		}
	}
	return Passes, ""
}

// judgeReuse lets one process fit the rows twice, with other parameters in between.
func judgeReuse(t *trial) (Verdict, string) {
	if !t.method.Reuses() {
		return Skipped, "each fit has a process of its own"
	}
	s, err := t.rows.sample() // for which there is no process yet
	if err != nil {
		t.system = err
		return Skipped, err.Error()
	}
	if verdict, text := t.compare(s, way{}, ""); verdict != Passes {
		return verdict, text
	}
	for i, p := range t.method.Params {
		for _, v := range otherValues(p.Default) {
			if _, failed := t.fitSample(s, way{set: map[int]any{i: v}}); failed == "" {
				break
			} // an error ends the process, and proves nothing
		}
	}
	return t.compare(s, way{}, "one answer, before and after fits with other parameters")
}

// otherValues returns values to try in place of a default.
func otherValues(value any) []any {
	switch x := value.(type) {
	case float64:
		return []any{2 * x, x / 2, x + 1, 100 * x, x / 100, float64(0), -1 - x}
	case int:
		return []any{x + 1, 1, 2 * x, 3, 10 * x, 0, -1 - x}
	case bool:
		return []any{!x}
	case string:
		return []any{"no-such-word"}
	case []float64:
		return []any{x[:1], append(slices.Clone(x), x[len(x)-1]+1), []float64{x[0] + 1}}
	case []int:
		return []any{x[:1], append(slices.Clone(x), x[len(x)-1]+1), []int{x[0] + 1}}
	case []string:
		return []any{[]string{"no-such-word"}}
	}
	return nil
}

func judgeParameters(t *trial) (Verdict, string) {
	if t.varies {
		return Skipped, "the same request has several answers"
	}
	if len(t.method.Params) == 0 {
		return Skipped, "it has none"
	}
	var idle, names []string
	for i, p := range t.method.Params {
		var tried []string
		names = append(names, p.Name)
		changes := false
		for _, v := range otherValues(p.Default) {
			if fmt.Sprint(v) == fmt.Sprint(p.Default) {
				continue
			}
			tried = append(tried, fmt.Sprint(v))
			a, failed := t.fitSample(t.plain, way{set: map[int]any{i: v}})
			if changes = failed != "" || difference(t.first, a) != ""; changes {
				break
			}
		}
		if !changes {
			idle = append(idle, fmt.Sprintf("%s: %s give the answer of %v", p.Name, strings.Join(tried, ", "), p.Default))
		}
	}
	if idle != nil {
		return Fails, strings.Join(idle, "; ")
	}
	return Passes, strings.Join(names, ", ")
}

func judgeUnknown(t *trial) (Verdict, string) {
	if t.varies {
		return Skipped, "the same request has several answers"
	}
	d := *t.method
	d.Params = append(slices.Clone(d.Params), declaration.Param{Name: "no_such_parameter", Default: 1.0})
	_, failed := t.fitSample(t.plain, way{method: &d})
	if failed == "" {
		return Noted, "no_such_parameter=1.0 is taken in silence"
	}
	return Passes, "refused"
}

// closeEnough is the allowed difference of predictions, as a share of their spread, from rounding and stopping rules.
const closeEnough = 0.01

// judgeOrder reverses the training rows. A method that uses random numbers may then draw others.
func judgeOrder(t *trial) (Verdict, string) {
	if t.varies {
		return Skipped, "the same request has several answers"
	}
	a, failed := t.fitTable(t.rows.reordered(), way{})
	if failed != "" {
		return Fails, failed
	}
	if a.predictions == nil {
		was, is := t.first.selected(), a.selected()
		switch {
		case slices.Equal(was, is):
			return Passes, "the same columns are selected"
		case t.drawn:
			return Noted, fmt.Sprintf("columns %v, then %v: it draws from the seed", was, is)
		}
		return Fails, fmt.Sprintf("columns %v, then %v", was, is)
	}
	far := apart(t.first, a)
	text := fmt.Sprintf("predictions of test rows are %.2g of their spread apart", far)
	switch {
	case far <= closeEnough:
		return Passes, text
	case t.drawn:
		return Noted, text + ": it draws from the seed"
	}
	return Fails, text
}

// judgeSelection checks that predictions do not change with columns that are not selected.
func judgeSelection(t *trial) (Verdict, string) {
	chosen := t.first.selected()
	switch {
	case t.varies:
		return Skipped, "the same request has several answers"
	case !t.answersRows():
		return Skipped, "it predicts by its coefficients, or not at all"
	case len(chosen) == usualColumns:
		return Skipped, "all columns are selected"
	}
	n := usualRows
	changed := t.rows.changed(func(i, j int, v float64) float64 {
		switch {
		case i < n || slices.Contains(chosen, j):
			return v
		case t.method.Binary:
			return 1 - v
		}
		return v + 3
	})
	a, failed := t.fitTable(changed, way{})
	if failed != "" {
		return Fails, failed
	}
	if words := difference(answer{predictions: t.first.predictions, outputs: t.first.outputs}, answer{predictions: a.predictions}); words != "" {
		return Fails, fmt.Sprintf("columns %v are selected, and predictions change with others: %s", chosen, words)
	}
	return Passes, fmt.Sprintf("columns %v decide", chosen)
}

// judgeCoefficients checks that coefficients explain the predictions up to a constant, if the method returns both.
func judgeCoefficients(t *trial) (Verdict, string) {
	if !t.declares(declaration.Coefficients) || !t.answersRows() || t.response != data.Real {
		return Skipped, "there are not both, coefficients and predictions of numbers"
	}
	least, most, low, high := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i, p := range t.first.predictions {
		sum := 0.0
		for _, c := range t.first.coefs {
			sum += float64(c.Value * t.rows.x[usualRows+i][c.Feature])
		}
		least, most, low, high = min(least, p-sum), max(most, p-sum), min(low, p), max(high, p)
	}
	far := (most - least) / max(high-low, math.SmallestNonzeroFloat64)
	text := fmt.Sprintf("predictions less what the coefficients make of the rows vary by %.2g of their spread", far)
	if far > 1e-6 {
		return Fails, text
	}
	return Passes, text
}
