package laws

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"tenfold/engines/data"
)

// lawsOfTestRows returns the laws about what a method makes of test rows.
func lawsOfTestRows() []law {
	return []law{
		{name: "batch", expects: "a row's prediction does not change with the rows that are handed over before it or with it, or transductive: true is declared", judge: forSettings(judgeBatch)},
		{name: "chance", expects: "labels drawn at random are predicted as by chance: a fit knows nothing of its test rows, and keeps nothing for other folds", judge: forSettings(judgeChance)},
	}
}

// forSettings returns a function that judges a method with the defaults of its parameters, and then with the settings of the
// experiment, as far as the verdict remains passes.
func forSettings(judge func(*trial, map[int]any) (Verdict, string)) func(*trial) (Verdict, string) {
	return func(t *trial) (Verdict, string) {
		verdict, text := judge(t, nil)
		for _, set := range t.options.Settings {
			if verdict != Passes {
				break
			}
			var words []string
			for _, i := range slices.Sorted(maps.Keys(set)) {
				words = append(words, fmt.Sprintf("%s=%v", t.method.Params[i].Name, set[i]))
			}
			var with string
			if verdict, with = judge(t, set); verdict != Passes {
				text = strings.Join(words, " ") + ": " + with
			}
		}
		return verdict, text
	}
}

// batchTolerance is the allowed difference between predictions of one row, as a share of the spread of all. Libraries sum in another
// order for another number of rows, and some of them in numbers of 32 bits.
const batchTolerance = 1e-6

// judgeBatch has one model predict the usual test rows in several batches, and another one predict some of them before all others.
func judgeBatch(t *trial, set map[int]any) (Verdict, string) {
	const outliers = 5
	switch {
	case t.method.Transductive:
		return Skipped, "transductive: true is declared"
	case !t.answersRows():
		return Skipped, "it predicts by its coefficients, or not at all"
	}
	s, err := t.rows.withOutliers(outliers, t.method.Binary).sample()
	if err != nil {
		t.system = err
		return Skipped, err.Error()
	}
	whole, reversed := span(usualRows, usualTests), span(usualRows, usualTests+outliers)
	slices.Reverse(reversed)
	some := slices.Concat(reversed[:outliers], whole[:usualTests/2])
	batches := [][]int32{whole, whole, reversed, some, whole[:1], whole[1:2]}
	a, failed := t.predictBatches(s, set, batches)
	if failed != "" {
		return Fails, failed
	}
	if !t.varies {
		fresh, failed := t.predictBatches(s, set, [][]int32{some})
		if failed != "" {
			return Fails, failed
		}
		batches, a.earlier = append(batches, some), append(a.earlier, fresh.earlier...)
	}
	predicted, most := a.compared(a.earlier[0]), 0.0
	verdict, text := Passes, fmt.Sprintf("%d batches, one prediction for each row", len(batches))
	for k := 1; k < len(batches); k++ {
		for i, p := range a.compared(a.earlier[k]) {
			row := int(batches[k][i/a.outputs]) - usualRows
			if row >= usualTests {
				continue
			}
			was := predicted[row*a.outputs+i%a.outputs]
			far := share(math.Abs(p-was), predicted)
			if far <= max(most, batchTolerance) {
				continue
			}
			most, verdict, text = far, Fails, fmt.Sprintf("prediction %v of row %d in a batch of %d, then %v in one of %d", was, row, usualTests, p, len(batches[k]))
		}
		if k == 1 && verdict == Fails && (t.varies || t.drawn) {
			return Noted, text + ", which has the same rows: it draws when it predicts"
		}
	}
	return verdict, text
}

// span returns the n numbers from first on.
func span(first, n int32) (rows []int32) {
	for i := range n {
		rows = append(rows, first+i)
	}
	return rows
}

// predictBatches fits the training rows of a sample, and lets the model predict batches of rows, one after the other.
func (t *trial) predictBatches(s sample, set map[int]any, batches [][]int32) (answer, string) {
	w := way{set: set}
	for _, rows := range batches {
		w.earlier = append(w.earlier, s.view(rows))
	}
	return t.fitSample(s, w)
}

// Sizes of the table of labels drawn at random.
const (
	tossedRows, tossedColumns, tossedFolds = 400, 20, 4
)

// chanceBound returns the share of right predictions that chance exceeds once in a million times: 4.75 standard deviations above one
// half. Rows that are alike are right and wrong together, so half of the rows count as independent.
func chanceBound() float64 { return 0.5 + 4.75*math.Sqrt(0.25/(tossedRows/2)) }

// judgeChance fits and predicts the folds of a table whose labels are tosses of a coin, as a run does. A fit that finds what another
// one left, or the files of another fold beside its own, knows the labels of its test rows.
func judgeChance(t *trial, set map[int]any) (Verdict, string) {
	if !t.method.Predicts() {
		return Skipped, "it selects, and does not predict"
	}
	h := t.newHost("folds", t.watch)
	defer h.Close()
	table := newTable(t.method, t.response, 6, tossedRows, 0, tossedColumns, 0.9, len(t.rows.levels)).tossed()
	var folds []sample
	defer runtime.KeepAlive(&folds) // and with it the files of their rows
	right := 0
	for fold := range tossedFolds {
		rows := table.withFoldLast(fold, tossedFolds)
		s, err := rows.sample()
		if err != nil {
			t.system = err
			return Skipped, err.Error()
		}
		folds = append(folds, s)
		a, failed := t.fitSample(s, way{host: h, set: set, earlier: []*data.View{s.train}})
		if failed != "" {
			return Fails, failed
		}
		right += rows.countRight(a)
	}
	rate := float64(right) / tossedRows
	text := fmt.Sprintf("%.3g of %d tosses of a coin are predicted right in %d folds; by chance at most %.3g", rate, tossedRows, tossedFolds, chanceBound())
	if rate > chanceBound() {
		return Fails, text
	}
	return Passes, text
}

// tossed returns the table with tosses of a coin as responses: levels 0 and 1, or numbers and times in two clusters.
func (t table) tossed() table {
	out, r := t, rand.New(rand.NewPCG(6, 11))
	out.y = make([]float64, len(t.y))
	for i := range out.y {
		side := float64(r.IntN(2))
		if out.y[i] = side; t.response != data.Class {
			out.y[i] = float64(4*side) - 2 + float64(r.Float64())
		}
	}
	return out
}

// withFoldLast returns the table with the rows of one of several folds as its test rows.
func (t table) withFoldLast(fold, folds int) table {
	out := t
	out.x, out.y, out.tests = nil, nil, 0
	for _, last := range []bool{false, true} {
		for i, row := range t.x {
			if (i%folds == fold) == last {
				out.x, out.y = append(out.x, row), append(out.y, t.y[i])
				if last {
					out.tests++
				}
			}
		}
	}
	return out
}

// countRight returns the number of test rows that are predicted right: by the largest output for levels, else by being in the upper
// half of the predictions or not.
func (t table) countRight(a answer) (right int) {
	y := t.y[len(t.y)-t.tests:]
	middle := slices.Sorted(slices.Values(a.predictions))[len(a.predictions)/2]
	for i, tossed := range y {
		p := a.predictions[i*a.outputs:][:a.outputs]
		predicted := p[0] >= middle
		if t.response == data.Class {
			predicted = p[1] > p[0]
		}
		if predicted == (tossed > 0) {
			right++
		}
	}
	return right
}
