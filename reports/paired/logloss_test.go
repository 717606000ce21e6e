package paired

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
)

// surely is predictions of rows with these losses.
func surely(losses ...float64) (p results.Predictions, mean float64) {
	for i, l := range losses {
		p.Row, p.Group, p.Output = append(p.Row, fmt.Sprint(i)), append(p.Group, ""), append(p.Output, "")
		p.Truth, p.Prediction = append(p.Truth, 0), append(p.Prediction, 0)
		p.LogProbability = append(p.LogProbability, -l)
		mean += l / float64(len(losses))
	}
	return p, mean
}

// The log-loss of a row is that of its true level's probability, however small this is.
func TestLogLossOfRows(t *testing.T) {
	of := known["log_loss"]
	if !RowWise(of) {
		t.Fatal("log_loss is not resampled by rows")
	}
	var sides [2]*Losses
	for k, more := range []float64{0, 2} {
		p, mean := surely(0, 1e-300, 0.5+more, 900+more, 2000+more, 3+more)
		p.Weight = []float64{1, 1, 1, 2, 1, 1}
		l, err := lossesOf("log_loss", of, p, (6*mean+900+more)/7)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Sums(); got[3] != 2*(900+more) || got[0] != 0 || got[1] != 1e-300 {
			t.Errorf("losses %v", got)
		}
		sides[k] = l
	}
	got, err := Bootstrap(sides[0], sides[1])
	if err != nil || !(math.Abs(got.Mean+10./7) <= 1e-9) || !(got.P < 0.2) || got.N != 6 {
		t.Errorf("%+v, %v: the difference is 10/7", got, err)
	}
	p, mean := surely(1, 2)
	p.LogProbability = nil
	if _, err := lossesOf("log_loss", of, p, mean); err == nil || !strings.Contains(err.Error(), "no probabilities of the true levels") {
		t.Errorf("without log-probabilities: %v", err)
	}
	p, mean = surely(1, math.NaN())
	if _, err := lossesOf("log_loss", of, p, mean); err == nil {
		t.Error("a row without a log-probability")
	}
}
