package parallel

import (
	"slices"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 50} {
			done := make([]int, n)
			Each(workers, n, func(k int) { done[k]++ })
			if slices.ContainsFunc(done, func(v int) bool { return v != 1 }) {
				t.Errorf("%d workers: %v", workers, done)
			}
		}
	}
}

func TestStretches(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 64} {
		done := make([]int, n)
		var calls atomic.Int64
		Stretches(3, 8, n, func(first, last int) {
			calls.Add(1)
			for k := first; k < last; k++ {
				done[k]++
			}
		})
		if slices.ContainsFunc(done, func(v int) bool { return v != 1 }) || int(calls.Load()) != (n+7)/8 {
			t.Errorf("%d: %v in %d calls", n, done, calls.Load())
		}
	}
}
