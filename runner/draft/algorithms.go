package draft

import "tenfold/runner/draft/inspect"

// writeAlgorithms writes the algorithms to compare: the floor, penalties tuned on inner folds, and a search, as suits the numbers
// of rows and columns.
func (d *Draft) writeAlgorithms(w *lineWriter) {
	w.writeLine("algorithms: # tenfold describe engine lists all engines; tenfold describe engine NAME the parameters of one")
	switch {
	case d.Survival != nil:
		d.writeSurvivalAlgorithms(w)
		return
	case !d.Class:
		w.writeLine("  - {name: mean, engine: mean} # the floor: it looks at no feature")
		w.writeLine("  - name: lasso")
		w.writeLine("    engine: lasso")
		if d.isSmall() {
			w.writeLine("    params: {standardize: true, lambda_ratio: 0.1} # not tuned: %s", tooSmall)
			w.writeLine("  - {name: ridge, engine: ridge, params: {lambda: 10}} # all features")
			break
		}
		w.writeLine("    params: {standardize: true}")
		w.writeLine("    tune: {lambda_ratio: path, k: 3, choose: one-se} # on inner folds of the training rows")
		w.writeLine("  - {name: ridge, engine: ridge, tune: {lambda: [1, 10, 100, 1000], k: 3}} # all features")
		d.writeFilter(w, "ridge", "refit: {engine: ridge, params: {lambda: 10}}", "")
	case d.Several():
		w.writeLine("  - {name: majority, engine: majority} # the floor: it looks at no feature")
		w.writeLine("  - {name: Partial MIC, engine: mdl, params: {code: mic-partial}} # a feature pays once for all targets that it serves")
		w.writeLine("  - {name: RIC, engine: mdl, params: {code: ric2}} # each target by itself")
		w.writeLine("  - name: BBLasso")
		w.writeLine("    engine: multitask-lasso")
		w.writeLine("    params: {standardize: true, tol: 1.0e-3}")
		w.writeLine("    tune: {lambda_ratio: {log: [0.5, 0.02, 6]}, k: 3, metric: accuracy} # on inner folds of the training rows")
		return
	case d.isOfTexts():
		d.writeTextAlgorithms(w)
	default:
		w.writeLine("  - {name: majority, engine: majority} # the floor: it looks at no feature")
		if d.isSmall() {
			w.writeLine("  - {name: L1, engine: l1, params: {c1_ratio: 0.1}} # not tuned: %s", tooSmall)
			w.writeLine("  - {name: L2, engine: logistic} # all features")
			break
		}
		w.writeLine("  - name: L1")
		w.writeLine("    engine: l1")
		w.writeLine("    tune: {c1_ratio: path, k: 3, metric: log_loss, choose: one-se} # on inner folds of the training rows")
		w.writeLine("  - {name: L2, engine: logistic, tune: {c2: [0.1, 1, 10, 100], k: 3, metric: log_loss}} # all features")
		d.writeFilter(w, "L2", "refit: {engine: logistic}", ", metric: log_loss")
	}
	switch {
	case d.Class && !d.isBinary(), d.Separator() != "":
	case d.isWide():
		w.writeLine("  # BIC's price of a feature does not grow with the columns to choose from, of which there are many: it would select noise. RIC's does.")
		w.writeLine("  - {name: stepwise RIC, engine: mdl, params: {code: ric2, max_features: %d}}", d.mostSteps())
	default:
		w.writeLine("  - {name: stepwise BIC, engine: mdl, params: {code: bic}}")
	}
}

// fewRows is the number of rows below which training rows are too few to divide once more; tooSmall says so.
const (
	fewRows  = 20
	tooSmall = "training rows are too few to divide once more"
)

// isSmall reports whether there are too few rows to tune anything.
func (d *Draft) isSmall() bool { return d.Usable() > 0 && d.Usable() < fewRows }

// manyClasses is the number of classes above which a path of penalties on words takes too long for a first look.
const manyClasses = 10

// writeTextAlgorithms writes algorithms for classes of texts, in whose rows of length 1 small penalties do best.
func (d *Draft) writeTextAlgorithms(w *lineWriter) {
	w.writeLine("  - {name: majority, engine: majority} # the floor: it looks at no feature")
	numbers, _, _ := d.Features()
	if len(numbers) == 0 {
		w.writeLine("  - {name: naive Bayes, engine: naive-bayes} # all words")
	}
	if d.isSmall() {
		w.writeLine("  - {name: L2, engine: logistic, params: {c2: 0.1}} # all features; not tuned: %s", tooSmall)
		return
	}
	if len(d.targetLevels()) <= manyClasses {
		w.writeLine("  - name: L1")
		w.writeLine("    engine: l1")
		w.writeLine("    tune: {c1_ratio: path, k: 3, metric: log_loss, choose: one-se} # on inner folds of the training rows")
	}
	w.writeLine("  - {name: L2, engine: logistic, tune: {c2: [0.01, 0.1, 1], k: 3, metric: log_loss}} # all features")
	if d.Separator() == "" {
		filter := map[bool]string{true: "chi2", false: "anova"}[len(numbers) == 0]
		w.writeLine("  - name: %s + L2", filter)
		w.writeLine("    select: {engine: %s} # each column by itself", filter)
		w.writeLine("    refit: {engine: logistic, params: {c2: 0.1}}")
		w.writeLine("    tune: {select.features: [100, 300, 1000], k: 3, metric: log_loss}")
	}
}

// isOfTexts reports whether words are among the features.
func (d *Draft) isOfTexts() bool { return d.Format == inspect.Documents || len(d.Texts()) > 0 }

// writeFilter writes a filter and the model fitted to what it keeps, if there are many columns.
func (d *Draft) writeFilter(w *lineWriter, model, refit, metric string) {
	if !d.isWide() {
		return
	}
	w.writeLine("  - name: anova + %s", model)
	w.writeLine("    select: {engine: anova} # each column by itself")
	w.writeLine("    %s", refit)
	w.writeLine("    tune: {select.features: [10, 30, 100], k: 3%s}", metric)
}

// mostSteps returns the limit of a search among many columns: one feature per five rows, at most 50.
func (d *Draft) mostSteps() int {
	if d.Rows == 0 {
		return 50
	}
	return max(1, min(50, d.Rows/5))
}

// isWide reports whether there are more columns than half the rows.
func (d *Draft) isWide() bool {
	if d.Columns == nil || d.Width() > 0 {
		return d.Wide()
	}
	numbers, categorical, _ := d.Features()
	columns := len(numbers)
	if len(d.Texts()) > 0 {
		return true // words
	}
	for _, name := range categorical {
		if c := d.Column(name); len(c.Levels) == 2 {
			columns++
		} else {
			columns += len(c.Levels)
		}
	}
	return 2*columns > d.Rows
}

// writeSurvivalAlgorithms writes the algorithms to compare on times until an event.
func (d *Draft) writeSurvivalAlgorithms(w *lineWriter) {
	w.writeLine("  - {name: no columns, engine: cox, params: {lambda_ratio: 1}} # the floor: one survival curve for all")
	w.writeLine("  - {name: lasso, engine: cox, tune: {lambda_ratio: path, k: 3}} # by the partial likelihood, on inner folds of the training rows")
	w.writeLine("  - {name: elastic net, engine: cox, params: {alpha: 0.5}, tune: {lambda_ratio: path, k: 3}}")
	if d.isWide() {
		w.writeLine("  - {name: ten columns, engine: cox, params: {path: 100, lambda_ratio: 0.05, features: 10}}")
	}
}
