package metric

import (
	"math"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

func TestOracleProbes(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"probe_metrics": checkProbeMetrics})
}

func checkProbeMetrics(t *testing.T, c oracle.Case) {
	var in struct {
		Columns, Probes int
		Selected        []int
		Scores          [][2]float64
	}
	var want map[string]*float64
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Expected, &want)
	p := &Probes{Columns: in.Columns, Probes: in.Probes}
	for rank, j := range in.Selected {
		chosen := Chosen{Probe: j >= in.Columns, Rank: rank}
		for _, s := range in.Scores {
			if chosen.Rank = -1; int(s[0]) == j {
				chosen.Score = math.Abs(s[1])
			}
		}
		p.Chosen = append(p.Chosen, chosen)
	}
	columns, _ := count(p.Chosen)
	oracle.Near(t, "real_selected", float64(columns), *want["real_selected"], 0)
	for _, name := range []string{"probes_selected", "probe_share", "probe_fdp", "first_probe", "probe_auc"} {
		got := valueOf(t, name, &Outcome{Probes: p})
		if want[name] == nil {
			if !math.IsNaN(got) {
				t.Errorf("%s is %v, expected none", name, got)
			}
			continue
		}
		oracle.Near(t, name, got, *want[name], 1e-9)
	}
}

func valueOf(t *testing.T, name string, o *Outcome) float64 {
	t.Helper()
	m, ok := Find(name)
	if !ok {
		t.Fatalf("no metric %s", name)
	}
	return m.Score(o)
}

// Values at the ends: nothing selected, everything, probes alone, and data without probes. Places in rank with one score tie,
// since engines break such ties by the numbers of columns; ranks of different scores do not, nor ranks without scores.
func TestProbeMetrics(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	column := func(rank int, score float64) Chosen { return Chosen{Rank: rank, Score: score} }
	probe := func(rank int, score float64) Chosen { return Chosen{Probe: true, Rank: rank, Score: score} }
	for _, c := range []struct {
		name                         string
		p                            *Probes
		n, share, fdp, first, chance float64
	}{
		{"no probes", nil, nan, nan, nan, nan, nan},
		{"nothing", &Probes{4, 4, nil}, 0, nan, nan, 0, 0.5},
		{"a probe alone", &Probes{4, 2, []Chosen{probe(-1, 0)}}, 1, 1, nan, nan, 0.25},
		{"columns alone", &Probes{4, 2, []Chosen{column(0, 0), column(1, 0)}}, 0, 0, 0, 2, 0.75},
		{"everything alike", &Probes{2, 1, []Chosen{column(-1, 0), column(-1, 0), probe(-1, 0)}}, 1, 1. / 3, 1, nan, 0.5},
		{"columns alone, alike", &Probes{4, 2, []Chosen{column(-1, 0)}}, 0, 0, 0, nan, 0.625},
		{"ranks without scores", &Probes{2, 1, []Chosen{probe(1, 0), column(0, 0), column(2, 0)}}, 1, 1. / 3, 1, 1, 0.5},
		{"ranks of one score", &Probes{2, 1, []Chosen{column(0, 3), probe(1, 3*(1-1e-12)), column(2, 1)}}, 1, 1. / 3, 1, 0, 0.25},
		{"ranks of different scores", &Probes{2, 1, []Chosen{column(0, 3), probe(1, 2), column(2, 1)}}, 1, 1. / 3, 1, 1, 0.5},
		{"a column more than those that vary", &Probes{1, 1, []Chosen{column(0, 0), column(1, 0)}}, 0, 0, 0, 2, 1},
	} {
		o := &Outcome{Probes: c.p}
		for name, want := range map[string]float64{"probes_selected": c.n, "probe_share": c.share, "probe_fdp": c.fdp, "first_probe": c.first, "probe_auc": c.chance} {
			if got := valueOf(t, name, o); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %s is %v, expected %v", c.name, name, got, want)
			}
		}
	}
}
