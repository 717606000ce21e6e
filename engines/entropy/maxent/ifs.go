package maxent

import (
	"context"
	"sync/atomic"

	"tenfold/engines"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/numeric/parallel"
)

// IFS is incremental feature selection: every stage computes the gain of every candidate (Berger, Della Pietra and Della
// Pietra 1996; Zhou et al. 2003, section 2).
type IFS struct {
	Selection `yaml:",inline"`
}

// IFSKind is the engine ifs.
var IFSKind = engines.Define(engines.Kind{
	Name: "ifs",
	Doc:  "maximum entropy, features added one at a time: the gains of all candidates at every stage",
	Cite: "Berger et al. 1996; Zhou et al. 2003, section 2",
	Rev:  3, // 3: fits know the squares of columns
}, IFS{defaults})

// Fit adds the pair of largest gain, stage by stage. O(stages · Σ over candidates of the rows that have their context).
func (e IFS) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.selectAndEstimate(ctx, run, func(s *selection) chooser { return newExhaustive(s, e.gainLimits(), run.Workers) })
}

// exhaustive computes every gain at every stage (incremental feature selection).
type exhaustive struct {
	s       *selection
	lim     loglinear.Limits
	left    []int32           // candidates not yet taken, rising
	picks   []scoredCandidate // by position in left
	buffers []loglinear.Buffer
	count   int64
}

func newExhaustive(s *selection, lim loglinear.Limits, workers int) *exhaustive {
	a := &exhaustive{s: s, lim: lim, buffers: make([]loglinear.Buffer, max(workers, 1))}
	for k := range s.cands {
		a.left = append(a.left, int32(k))
	}
	a.picks = make([]scoredCandidate, len(a.left))
	return a
}

func (a *exhaustive) nextCandidate(ctx context.Context) (scoredCandidate, error) {
	if len(a.left) == 0 {
		return scoredCandidate{k: -1}, nil
	}
	computeGains(ctx, a.s, a.left, a.picks[:len(a.left)], a.lim, a.buffers)
	if ctx.Err() != nil {
		return scoredCandidate{}, context.Cause(ctx)
	}
	a.count += int64(len(a.left))
	place := largestGain(a.picks[:len(a.left)])
	if place < 0 {
		return scoredCandidate{k: -1}, nil
	}
	best := a.picks[place]
	a.left = append(a.left[:place], a.left[place+1:]...)
	return best, nil
}

func (a *exhaustive) addFeature(_ context.Context, k int, alpha float64) { a.s.add(k, alpha) }
func (*exhaustive) invalidate(context.Context) error                     { return nil }
func (a *exhaustive) evaluated() int64                                   { return a.count }

// computeGains fills dst with the best weights and gains of the candidates ks, one goroutine a buffer. It returns early when ctx
// ends.
func computeGains(ctx context.Context, s *selection, ks []int32, dst []scoredCandidate, lim loglinear.Limits, buffers []loglinear.Buffer) {
	const atOnce = 16 // neighbours share a column
	var next atomic.Int64
	work := func(buf *loglinear.Buffer) {
		for {
			first := int(next.Add(atOnce)) - atOnce
			for q := first; q < min(first+atOnce, len(ks)); q++ {
				if ctx.Err() != nil {
					return
				}
				alpha, gain := s.state.Gain(s.cands[ks[q]], lim, buf)
				dst[q] = scoredCandidate{int(ks[q]), alpha, gain}
			}
			if first >= len(ks) {
				return
			}
		}
	}
	var wait parallel.Group
	for w := 1; w < len(buffers); w++ {
		wait.Go(func() { work(&buffers[w]) })
	}
	work(&buffers[0])
	wait.Wait()
}
