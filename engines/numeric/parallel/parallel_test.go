package parallel

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"
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

// No two calls at a time have the same number.
func TestNumbered(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		busy, sums := make([]atomic.Bool, max(1, workers)), make([]int, max(1, workers))
		Numbered(workers, 500, func(worker, k int) {
			if !busy[worker].CompareAndSwap(false, true) {
				t.Errorf("%d workers: two have the number %d", workers, worker)
			}
			sums[worker] += k
			busy[worker].Store(false)
		})
		total := 0
		for _, s := range sums {
			total += s
		}
		if total != 500*499/2 {
			t.Errorf("%d workers: sums %v", workers, sums)
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
		if slices.ContainsFunc(done, func(v int) bool { return v != 1 }) || !RaceDetector && int(calls.Load()) != (n+7)/8 {
			t.Errorf("%d: %v in %d calls", n, done, calls.Load())
		}
	}
}

// As many goroutines work at a time as may, and no more.
func TestWorkersMeet(t *testing.T) {
	const workers = 3
	late, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	met := make(chan bool)
	var arrived, busy atomic.Int64
	Numbered(workers, 60, func(worker, k int) {
		if busy.Add(1) > workers || worker >= workers {
			t.Errorf("call %d: worker %d, %d at a time", k, worker, busy.Load())
		}
		defer busy.Add(-1)
		if arrived.Add(1) == workers {
			close(met)
		}
		select {
		case <-met:
		case <-late.Done():
			t.Errorf("call %d: the others did not come", k)
		}
		time.Sleep(100 * time.Microsecond) // so that whoever came too many has something left to do
	})
}
