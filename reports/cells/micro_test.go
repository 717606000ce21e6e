package cells

import (
	"math"
	"testing"

	"tenfold/io/results"
)

// tested is a fold of a task with so many test rows.
func tested(algorithm, name string, fold int32, rows int64, accuracy float64) results.Row {
	r := task(algorithm, name, fold, accuracy)
	r.RowsTest = rows
	return r
}

// Three tasks by hand: n is 40, 10, 10 and y is 30, 9, 2, so m is 41/60 and the residuals are y − m·n.
func TestMicro(t *testing.T) {
	rows := []results.Row{
		tested("one", "a", 0, 30, 0.8), tested("one", "a", 1, 10, 0.6),
		tested("one", "b", 0, 5, 0.8), tested("one", "b", 1, 5, 1),
		tested("one", "c", 0, 8, 0.125), tested("one", "c", 1, 2, 0.5),
	}
	m := 41.0 / 60
	residuals := []float64{30 - 40*m, 9 - 10*m, 2 - 10*m}
	squares := 0.0
	for _, r := range residuals {
		squares += r * r
	}
	se := math.Sqrt(3.0/2*squares) / 60
	s := Micro(AcrossTasks(Group(rows)), "accuracy")
	if s.N != 3 || !(math.Abs(s.Mean-m) <= 1e-15) || !(math.Abs(s.SE-se) <= 1e-15) {
		t.Errorf("%+v, want %g ± %g", s, m, se)
	}
	if half := results.Student975(2) * se; !(math.Abs(s.Low-(m-half)) <= 1e-15) || !(math.Abs(s.High-(m+half)) <= 1e-15) {
		t.Errorf("%g … %g", s.Low, s.High)
	}
	if macro := AcrossTasks(Group(rows))[0].Stat("accuracy").Mean; !(math.Abs(macro-(0.7+0.9+0.3125)/3) <= 1e-15) {
		t.Errorf("macro %g", macro)
	}
	folds := Micro(Group(rows)[:1], "accuracy") // of the first task: its folds are the units, of twice as many test rows as training rows
	if folds.N != 2 || !(math.Abs(folds.Mean-0.75) <= 1e-15) || !(math.Abs(folds.SE-math.Sqrt(2*(1.5*1.5+1.5*1.5)*(1+2*2))/40) <= 1e-15) {
		t.Errorf("over folds %+v", folds)
	}
	if one := Micro(Group(rows[:1]), "accuracy"); one.N != 1 || one.Mean != 0.8 || !math.IsNaN(one.SE) {
		t.Errorf("of one fold %+v", one)
	}
}

// With equally many rows in every task, micro is macro, and the standard error that of the mean.
func TestMicroOfEqualTasks(t *testing.T) {
	single := Group(family())[:6]
	for _, c := range AcrossTasks(single) {
		micro, macro := Micro([]*Cell{c}, "accuracy"), c.Stat("accuracy")
		if micro.N != macro.N || !(math.Abs(micro.Mean-macro.Mean) <= 1e-14) || !(math.Abs(micro.SE-macro.SE) <= 1e-14) || !(math.Abs(micro.High-macro.High) <= 1e-13) {
			t.Errorf("%+v, %+v", micro, macro)
		}
	}
}

func TestMicroOfWhatIsMissing(t *testing.T) {
	rows := []results.Row{tested("one", "a", 0, 30, 0.5), tested("one", "b", 0, 10, 1), tested("one", "c", 0, 10, 0)}
	rows[1].Scores = nil
	rows[2].Status = results.Failed
	if s := Micro(AcrossTasks(Group(rows)), "accuracy"); s.N != 1 || s.Mean != 0.5 {
		t.Errorf("%+v", s)
	}
	rows[0].RowsTest = 0
	if s := Micro(AcrossTasks(Group(rows)), "accuracy"); s.N != 0 || !math.IsNaN(s.Mean) {
		t.Errorf("without rows %+v", s)
	}
	along := *AcrossTasks(Group(rows))[0]
	along.Tasks = nil
	if s := Micro([]*Cell{&along}, "accuracy"); s.N != 0 {
		t.Errorf("along a path %+v", s)
	}
}

// Families drawn with several seeds: a data set is one unit, of all rows of its tasks.
func TestMicroOverDataSets(t *testing.T) {
	var rows []results.Row
	for seed := range int64(3) {
		for i, name := range []string{"a", "b"} {
			r := tested("one", name, 0, int64(10+20*i), float64(seed)/4)
			r.Grid = []results.Param{{Name: "data_seed", Value: seed}}
			r.Cell += string(rune('0' + seed))
			rows = append(rows, r)
		}
	}
	cs := AcrossGrid(AcrossTasks(Group(rows)), []string{"data_seed"})
	if s := Micro(cs, "accuracy"); len(cs) != 1 || s.N != 3 || s.Mean != 0.25 || !(math.Abs(s.SE-cs[0].Stat("accuracy").SE) <= 1e-15) {
		t.Errorf("%d cells, %+v", len(cs), s)
	}
}
