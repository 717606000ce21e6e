package tune

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/runner/inner"
)

// endless is an engine whose fits end with their context alone.
type endless struct{ engines.Engine }

func (endless) Fit(ctx context.Context, _ engines.Run) (engines.Model, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// When the time of a search is over, the best of the finished candidates is chosen, and notes say that this may not come again; a search
// that ends in time chooses as without a limit.
func TestTime(t *testing.T) {
	t.Parallel()
	v := enginetest.View(linear(40, 30, 2), nil)
	options := Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}
	finished := ridges(100, 1, 1e-3)
	choose := func(limit time.Duration, candidates ...Candidate) (chosen string, notes []string, err error) {
		e := Engine{Candidates: candidates, Options: options}
		e.Time = limit
		run := engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1, Warn: func(note string) { notes = append(notes, note) }}
		seed := run.Rand.Uint64()
		innerFolds, err := inner.Divide(t.Context(), run, e.InnerFolds, seed)
		if err != nil {
			return "", nil, err
		}
		engine, err := e.choose(t.Context(), run, innerFolds, seed)
		for _, c := range candidates {
			if err == nil && c.Engine == engine {
				chosen = c.Label
			}
		}
		return chosen, notes, err
	}
	want, notes, err := choose(0, finished...)
	if err != nil || len(notes) > 0 {
		t.Fatal(notes, err)
	}
	if got, notes, err := choose(time.Hour, finished...); err != nil || got != want || len(notes) > 0 {
		t.Errorf("within the time %s, expected %s; %q, %v", got, want, notes, err)
	}
	slow := Candidate{Engine: endless{ridge(1)}, Label: "slow"}
	got, notes, err := choose(200*time.Millisecond, append(finished, slow, slow)...)
	if err != nil || got != want || len(notes) != 1 || !strings.HasPrefix(notes[0], engines.NotRepeatable) || !strings.Contains(notes[0], "3 of 5 candidates") {
		t.Errorf("at its end %s, expected %s; %q, %v", got, want, notes, err)
	}
	if _, _, err := choose(time.Millisecond, slow); err == nil || !strings.Contains(err.Error(), errLate.Error()) {
		t.Errorf("without a candidate: %v", err)
	}
}
