package l1

import (
	"context"
	"fmt"
	"math"
	"slices"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"testing"
)

// Settling changes no probability, lowers the penalty, and leaves free biases where they are; the margins follow.
func TestSettle(t *testing.T) {
	for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
		for _, pen := range []logits.Penalty{{L1: 1}, {L1: 1, L2: 0.5}} {
			t.Run(fmt.Sprintf("bias %s, %+v", bias, pen), func(t *testing.T) {
				s := loglin.Draw(9, 30, 6, 4, bias, false)
				p := s.Problem(t)
				pt := p.NewPoint(loglin.Weights(p, 4))
				for k := range pt.W {
					pt.W[k]++ // which all of a column's weights have in common
				}
				clear(pt.W[:p.Blocks]) // a column without weights
				if err := pt.Update(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				set, err := newCandidateColumns(context.Background(), p, pt.W, 1e-3, 1)
				if err != nil {
					t.Fatal(err)
				}
				was := slices.Clone(pt.W)
				set.removeCommonShifts(pt, pen)
				if before, after := s.Penalty(p, pen, was), s.Penalty(p, pen, pt.W); !(after < before-1) {
					t.Errorf("penalty %v, before %v", after, before)
				}
				for k, w := range pt.W {
					if p.Free(k) && w != was[k] || k < p.Blocks && w != 0 {
						t.Errorf("weight %d went from %v to %v", k, was[k], w)
					}
				}
				z := make([]float64, len(pt.Z))
				p.Margins(context.Background(), z, pt.W, 1)
				for i := range s.Y {
					for b := range p.Blocks {
						loglin.Near(t, fmt.Sprintf("margin %d of row %d", b, i), pt.Z[i*p.Blocks+b], z[i*p.Blocks+b], 1e-12)
					}
					for c, q := range s.Probabilities(was, i) {
						if now := s.Probabilities(pt.W, i)[c]; !(math.Abs(now-q) <= 1e-12) {
							t.Errorf("row %d: probability of class %d was %v, is %v", i, c, q, now)
						}
					}
				}
			})
		}
	}
}
