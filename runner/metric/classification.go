package metric

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/io/results"
)

func classification() []Metric {
	m := func(name, doc string, better Direction, of Properties, score func(o *Outcome) float64) Metric {
		return Metric{Name: name, Doc: doc, Better: better, Target: data.Class, Properties: of, Score: score}
	}
	usual := func(m Metric) Metric { m.Usual = true; return m }
	share := func(axis string) Properties { return Properties{Commensurable: true, Axis: axis} }
	test := func(f func(c confusion) float64) func(o *Outcome) float64 {
		return func(o *Outcome) float64 { return f(confuse(o, &o.Test)) }
	}
	binary := func(f func(c confusion, positive int) float64) func(o *Outcome) float64 {
		return func(o *Outcome) float64 {
			if len(o.Levels) != 2 {
				return math.NaN()
			}
			return f(confuse(o, &o.Test), o.Positive)
		}
	}
	return []Metric{
		usual(m("accuracy", "share of test rows with the right class", Higher,
			Properties{RowLoss: results.Correct, Commensurable: true, Axis: "accuracy on test rows"}, test(confusion.accuracy))),
		m("train_accuracy", "share of training rows with the right class", Higher,
			Properties{Training: true, Commensurable: true, Axis: "accuracy on training rows"},
			func(o *Outcome) float64 { return confuse(o, &o.Train).accuracy() }),
		m("error", "share of test rows with a wrong class", Lower,
			Properties{RowLoss: results.ZeroOneLoss, Commensurable: true, Axis: "error on test rows"},
			test(func(c confusion) float64 { return 1 - c.accuracy() })),
		m("balanced_accuracy", "mean recall over the classes that occur in the test rows", Higher,
			share("balanced accuracy on test rows"), test(confusion.balanced)),
		m("precision", "right among those predicted positive (two classes)", Higher, share("precision on test rows"), binary(confusion.precision)),
		m("recall", "found among the positive (two classes)", Higher, share("recall on test rows"), binary(confusion.recall)),
		fBeta("f1", 1), fBeta("f2", 2),
		usual(m("macro_f1", "mean F1 over all classes", Higher, share("macro-averaged F1 on test rows"), test(confusion.macroF1))),
		m("micro_f1", "F1 of the pooled decisions; with one class a row it is the accuracy", Higher,
			Properties{RowLoss: results.Correct, Commensurable: true, Axis: "micro-averaged F1 on test rows"}, test(confusion.accuracy)),
		m("mcc", "Matthews correlation; its generalisation (Gorodkin's R_K) for several classes", Higher,
			share("Matthews correlation on test rows"), test(confusion.mcc)),
		m("log_likelihood", "sum of the log-probabilities of the true classes, in nats", Higher,
			Properties{Axis: "log-likelihood of test rows (nats)"},
			func(o *Outcome) float64 { return logLikelihood(o, &o.Test) }),
		m("train_log_likelihood", "sum of the log-probabilities of the true classes of the training rows, in nats", Higher,
			Properties{Training: true, Axis: "log-likelihood of training rows (nats)"},
			func(o *Outcome) float64 { return logLikelihood(o, &o.Train) }),
		m("log_loss", "mean negative log-probability of the true class, in nats", Lower,
			Properties{RowLoss: results.LogLoss, Axis: "log-loss on test rows (nats)"},
			func(o *Outcome) float64 { return -logLikelihood(o, &o.Test) / o.Test.mass() }),
		m("train_log_loss", "mean negative log-probability of the true class of the training rows, in nats", Lower,
			Properties{Training: true, Axis: "log-loss on training rows (nats)"},
			func(o *Outcome) float64 { return -logLikelihood(o, &o.Train) / o.Train.mass() }),
		m("brier_score", "mean over test rows of Σ (probability − 1 for the true class, 0 for others)² over all classes, 0 to 2: of two classes twice scikit-learn's", Lower,
			Properties{RowLoss: results.BrierLoss, Commensurable: true, Axis: "Brier score on test rows"}, brierScore),
		m("ece", "expected calibration error: how far the probability of the predicted class is from the share of rows that are right, over 15 bins of equal width", Lower,
			share("expected calibration error on test rows"), calibrationError),
		m("roc_auc", "area under the ROC curve (two classes)", Higher, share("area under the ROC curve on test rows"), rocAUC),
		m("pr_auc", "average precision (two classes)", Higher, share("area under the precision–recall curve on test rows"), averagePrecision),
		m("auc_hand_till", "area under the ROC curve of one class against another, mean over all pairs of classes of the test rows (Hand & Till's M)", Higher,
			share("area under the ROC curve, mean over pairs of classes, on test rows"), handTill),
		m("auc_ovr", "area under the ROC curve of a class against all others, mean over the classes of the test rows", Higher,
			share("area under the ROC curve, mean over classes against the rest, on test rows"), againstRest),
	}
}

func fBeta(name string, beta float64) Metric {
	return Metric{
		Name: name, Doc: "F measure of the positive class: (1+β²)PR/(β²P+R)", Better: Higher, Target: data.Class,
		Properties: Properties{Commensurable: true, Axis: fmt.Sprintf("F%v on test rows", beta)},
		Score: func(o *Outcome) float64 {
			if len(o.Levels) != 2 {
				return math.NaN()
			}
			return confuse(o, &o.Test).f(o.Positive, beta)
		},
	}
}

// confusion[t][p] is the weight of the rows of class t that were predicted as p.
type confusion [][]float64

func confuse(o *Outcome, s *Side) confusion {
	c := make(confusion, len(o.Levels))
	for t := range c {
		c[t] = make([]float64, len(o.Levels))
	}
	for i, t := range s.Truth {
		c[int(t)][int(s.Prediction[i])] += s.weight(i)
	}
	return c
}

func (c confusion) row(k int) (sum float64) {
	for _, x := range c[k] {
		sum += x
	}
	return sum
}

func (c confusion) column(k int) (sum float64) {
	for t := range c {
		sum += c[t][k]
	}
	return sum
}

func (c confusion) accuracy() float64 {
	right, all := 0.0, 0.0
	for k := range c {
		right += c[k][k]
		all += c.row(k)
	}
	return right / all
}

func (c confusion) balanced() float64 {
	sum, n := 0.0, 0.0
	for k := range c {
		if total := c.row(k); total > 0 {
			sum += c[k][k] / total
			n++
		}
	}
	return sum / n
}

// precision returns 0 if nothing was predicted positive, as recall does if nothing is positive.
func (c confusion) precision(k int) float64 { return ratio(c[k][k], c.column(k)) }
func (c confusion) recall(k int) float64    { return ratio(c[k][k], c.row(k)) }

func (c confusion) f(k int, beta float64) float64 { return fMeasure(c.precision(k), c.recall(k), beta) }

// fMeasure returns (1+β²)PR / (β²P + R), 0 if both are 0.
func fMeasure(precision, recall, beta float64) float64 {
	b := float64(beta * beta)
	return ratio((1+b)*precision*recall, float64(b*precision)+recall)
}

func (c confusion) macroF1() float64 {
	sum := 0.0
	for k := range c {
		sum += c.f(k, 1)
	}
	return sum / float64(len(c))
}

func (c confusion) mcc() float64 {
	right, all, cross, rows, columns := 0.0, 0.0, 0.0, 0.0, 0.0
	for k := range c {
		t, p := c.row(k), c.column(k)
		right += c[k][k]
		all += t
		cross += float64(t * p)
		rows += float64(t * t)
		columns += float64(p * p)
	}
	return ratio(float64(right*all)-cross, math.Sqrt(float64(all*all)-columns)*math.Sqrt(float64(all*all)-rows))
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
	if !o.Probabilities {
		return math.NaN()
	}
	sum, k := 0.0, len(o.Levels)
	for i, t := range s.Truth {
		sum += float64(s.weight(i) * s.Score[i*k+int(t)])
	}
	return sum
}
