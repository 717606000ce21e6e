package metric

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/io/results"
)

func classification() []Metric {
	m := func(name, doc string, better Direction, properties Properties, score func(o *Outcome) float64) Metric {
		return Metric{Name: name, Doc: doc, Better: better, Target: data.Class, Properties: properties, Score: score}
	}
	counted := func(name, doc string, better Direction, properties Properties, f func(c Confusion, positive int) float64) Metric {
		return Metric{Name: name, Doc: doc, Better: better, Target: data.Class, Properties: properties, Counts: f}.fromCounts()
	}
	usual := func(m Metric) Metric { m.Usual = true; return m }
	share := func(axis string) Properties { return Properties{Commensurable: true, Axis: axis} }
	all := func(f func(c Confusion) float64) func(c Confusion, positive int) float64 {
		return func(c Confusion, _ int) float64 { return f(c) }
	}
	two := func(instead string, m Metric) Metric {
		m.Instead = instead
		m.None += more
		return m
	}
	binary := func(f func(c Confusion, positive int) float64) func(c Confusion, positive int) float64 {
		return func(c Confusion, positive int) float64 {
			if len(c) != 2 {
				return math.NaN()
			}
			return f(c, positive)
		}
	}
	// needs says what a fold lacks without a value.
	needs := func(none string, m Metric) Metric { m.None = none; return m }
	const (
		positive = "none without a positive test row"
		negative = "none without a negative test row"
		classes  = "none where all test rows have one class"

		probabilities = "none of models without probabilities"
	)
	counts := func(m Metric) Metric { m.Also = data.Count; return m }
	infinite := func(m Metric) Metric { m.Infinite = "probability 0 of what happened"; return needs(probabilities, m) }
	return []Metric{
		usual(counted("accuracy", "share of test rows with the right class", Higher,
			Properties{RowLoss: results.Correct, Commensurable: true, Axis: "accuracy on test rows"}, all(Confusion.accuracy))),
		m("train_accuracy", "share of training rows with the right class", Higher,
			Properties{Training: true, Commensurable: true, Axis: "accuracy on training rows"},
			func(o *Outcome) float64 { return confuse(o, &o.Train).accuracy() }),
		counted("error", "share of test rows with a wrong class", Lower,
			Properties{RowLoss: results.ZeroOneLoss, Commensurable: true, Axis: "error on test rows"},
			all(func(c Confusion) float64 { return 1 - c.accuracy() })),
		counted("balanced_accuracy", "mean recall over the classes that occur in the test rows", Higher,
			share("balanced accuracy on test rows"), all(Confusion.balanced)),
		two("macro_f1", needs(positive, counted("precision", "right among those predicted positive, 0 if none is (two classes)", Higher, share("precision on test rows"), binary(Confusion.precision)))),
		two("balanced_accuracy", needs(positive, counted("recall", "found among the positive: sensitivity (two classes)", Higher, share("recall on test rows"), binary(Confusion.recall)))),
		two("balanced_accuracy", needs(negative, counted("specificity", "found among the negative (two classes)", Higher, share("specificity on test rows"),
			binary(func(c Confusion, positive int) float64 { return c.recall(1 - positive) })))),
		two("macro_f1", needs(negative, counted("npv", "right among those predicted negative, 0 if none is (two classes)", Higher, share("negative predictive value on test rows"),
			binary(func(c Confusion, positive int) float64 { return c.precision(1 - positive) })))),
		fBeta("f1", 1), fBeta("f2", 2),
		usual(counted("macro_f1", "mean F1 over the classes that occur in the test rows or are predicted there", Higher, share("macro-averaged F1 on test rows"), all(Confusion.macroF1))),
		counted("micro_f1", "F1 of the pooled decisions; with one class a row it is the accuracy", Higher,
			Properties{RowLoss: results.Correct, Commensurable: true, Axis: "micro-averaged F1 on test rows"}, all(Confusion.accuracy)),
		needs(classes, counted("mcc", "Matthews correlation; its generalisation (Gorodkin's R_K) for several classes", Higher,
			share("Matthews correlation on test rows"), all(Confusion.mcc))),
		needs(classes, counted("kappa", "Cohen's kappa: agreement of prediction and truth beyond that of chance, as a share of the possible", Higher,
			share("Cohen's kappa on test rows"), all(Confusion.kappa))),
		infinite(counts(m("log_likelihood", "sum of the log-probabilities of the true classes, or of counts by Poisson's distribution, in nats", Higher,
			Properties{Axis: "log-likelihood of test rows (nats)"},
			func(o *Outcome) float64 { return logLikelihood(o, &o.Test) }))),
		infinite(m("train_log_likelihood", "sum of the log-probabilities of the true classes of the training rows, in nats", Higher,
			Properties{Training: true, Axis: "log-likelihood of training rows (nats)"},
			func(o *Outcome) float64 { return logLikelihood(o, &o.Train) })),
		infinite(m("log_loss", "mean negative log-probability of the true class, in nats", Lower,
			Properties{RowLoss: results.LogLoss, Axis: "log-loss on test rows (nats)"},
			func(o *Outcome) float64 { return -logLikelihood(o, &o.Test) / o.Test.mass() })),
		infinite(m("train_log_loss", "mean negative log-probability of the true class of the training rows, in nats", Lower,
			Properties{Training: true, Axis: "log-loss on training rows (nats)"},
			func(o *Outcome) float64 { return -logLikelihood(o, &o.Train) / o.Train.mass() })),
		needs(probabilities, m("brier_score", "mean over test rows of Σ (probability − 1 for the true class, 0 for others)² over all classes, 0 to 2: of two classes twice scikit-learn's", Lower,
			Properties{RowLoss: results.BrierLoss, Commensurable: true, Axis: "Brier score on test rows"}, brierScore)),
		needs(probabilities, m("ece", "expected calibration error: how far the probability of the predicted class is from the share of rows that are right, over 15 bins of equal width", Lower,
			share("expected calibration error on test rows"), calibrationError)),
		two("auc_ovr", needs(classes, m("roc_auc", "area under the ROC curve (two classes)", Higher, share("area under the ROC curve on test rows"), rocAUC))),
		two("auc_ovr", needs(positive, m("pr_auc", "average precision (two classes)", Higher, share("area under the precision–recall curve on test rows"), averagePrecision))),
		needs(classes, m("auc_hand_till", "area under the ROC curve of one class against another, mean over all pairs of classes of the test rows (Hand & Till's M)", Higher,
			share("area under the ROC curve, mean over pairs of classes, on test rows"), handTill)),
		needs(classes, m("auc_ovr", "area under the ROC curve of a class against all others, mean over the classes of the test rows", Higher,
			share("area under the ROC curve, mean over classes against the rest, on test rows"), againstRest)),
	}
}

// more ends what metrics of two classes say of data without a value.
const more = ", nor of more than two classes"

func fBeta(name string, beta float64) Metric {
	return Metric{
		Name: name, Doc: "F measure of the positive class: (1+β²)PR/(β²P+R)", Better: Higher, Target: data.Class, Instead: "macro_f1",
		Properties: Properties{Commensurable: true, Axis: fmt.Sprintf("F%v on test rows", beta), None: "none without a positive test row" + more},
		Counts: func(c Confusion, positive int) float64 {
			if len(c) != 2 {
				return math.NaN()
			}
			return c.f(positive, beta)
		},
	}.fromCounts()
}

// fromCounts returns the metric with the score that follows from its Counts on the test rows.
func (m Metric) fromCounts() Metric {
	m.Score = func(o *Outcome) float64 { return m.Counts(confuse(o, &o.Test), o.Positive) }
	return m
}

// Confusion holds the weight of the rows by class and predicted class, [true][predicted].
type Confusion [][]float64

func confuse(o *Outcome, s *Side) Confusion {
	c := make(Confusion, len(o.Levels))
	for t := range c {
		c[t] = make([]float64, len(o.Levels))
	}
	for i, t := range s.Truth {
		c[int(t)][int(s.Prediction[i])] += s.weight(i)
	}
	return c
}

func (c Confusion) row(k int) (sum float64) {
	for _, x := range c[k] {
		sum += x
	}
	return sum
}

func (c Confusion) column(k int) (sum float64) {
	for t := range c {
		sum += c[t][k]
	}
	return sum
}

func (c Confusion) accuracy() float64 {
	right, all := 0.0, 0.0
	for k := range c {
		right += c[k][k]
		all += c.row(k)
	}
	return right / all
}

func (c Confusion) balanced() float64 {
	sum, n := 0.0, 0.0
	for k := range c {
		if total := c.row(k); total > 0 {
			sum += c[k][k] / total
			n++
		}
	}
	return sum / n
}

// Whether a score has a value depends on the truth of the test rows alone, never on the predictions: so all models lack it on the
// same folds. Where predictions make it 0/0, it is the worst value, or the limit.

// precision returns the share of rows of class k among those predicted as k: 0 if there are none, NaN if no row is of class k.
func (c Confusion) precision(k int) float64 {
	if c.row(k) == 0 {
		return math.NaN()
	}
	return ratio(c[k][k], c.column(k))
}

// recall returns the share of rows predicted as k among those of class k; NaN if there are none.
func (c Confusion) recall(k int) float64 { return c[k][k] / c.row(k) }

// f returns (1+β²)TP / ((1+β²)TP + β²FN + FP) of class k; NaN if no row is of class k.
func (c Confusion) f(k int, beta float64) float64 { return fMeasure(c.precision(k), c.recall(k), beta) }

// fMeasure returns (1+β²)PR / (β²P + R), 0 if both are 0.
func fMeasure(precision, recall, beta float64) float64 {
	b := float64(beta * beta)
	return ratio((1+b)*precision*recall, float64(b*precision)+recall)
}

// macroF1 returns the mean of 2n_kk/(r_k + c_k) over the classes with rows of their own or rows predicted as them.
func (c Confusion) macroF1() float64 {
	sum, n := 0.0, 0.0
	for k := range c {
		if both := c.row(k) + c.column(k); both > 0 {
			sum += 2 * c[k][k] / both
			n++
		}
	}
	return sum / n
}

// marginals returns the sums that mcc and kappa are made of: the weight of all rows, of those that are right, Σ r_k², Σ c_k² and
// Σ r_k c_k. They do not vary if all rows are of one class.
func (c Confusion) marginals() (all, right, rows, columns, cross float64, vary bool) {
	seen := 0
	for k := range c {
		t, p := c.row(k), c.column(k)
		if t > 0 {
			seen++
		}
		right += c[k][k]
		all += t
		cross += float64(t * p)
		rows += float64(t * t)
		columns += float64(p * p)
	}
	return all, right, rows, columns, cross, seen > 1
}

// mcc returns NaN if all rows are of one class, and 0, the limit, if all are predicted as one (Chicco & Jurman 2020, The advantages
// of the Matthews correlation coefficient).
func (c Confusion) mcc() float64 {
	all, right, rows, columns, cross, vary := c.marginals()
	if !vary {
		return math.NaN()
	}
	return ratio(float64(right*all)-cross, math.Sqrt(float64(all*all)-columns)*math.Sqrt(float64(all*all)-rows))
}

// kappa returns (p_o − p_e)/(1 − p_e), with p_o the share of rows that are right and p_e = Σ r_k c_k/n² (Cohen 1960, A coefficient
// of agreement for nominal scales); NaN if all rows are of one class.
func (c Confusion) kappa() float64 {
	all, right, _, _, cross, vary := c.marginals()
	if !vary {
		return math.NaN()
	}
	return (float64(right*all) - cross) / (float64(all*all) - cross)
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func (s *Side) mass() float64 {
	sum := 0.0
	for i := range s.Truth {
		sum += s.weight(i)
	}
	return sum
}

// logLikelihood returns NaN for models without probabilities, and −∞ if a true class has probability 0.
func logLikelihood(o *Outcome, s *Side) float64 {
	if o.Type == data.Count {
		return s.countLikelihood()
	}
	if !o.Probabilities {
		return math.NaN()
	}
	sum, k := 0.0, len(o.Levels)
	for i, t := range s.Truth {
		sum += float64(s.weight(i) * s.Score[i*k+int(t)])
	}
	return sum
}
