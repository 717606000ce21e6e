// Package parallel divides work between goroutines.
package parallel

import "sync/atomic"

// Each calls do for 0 up to n, on up to so many goroutines: whoever is free takes the next. What do computes must not depend on
// the others. It returns when all are done.
func Each(workers, n int, do func(k int)) {
	Numbered(workers, n, func(_, k int) { do(k) })
}

// Numbered is Each, and tells do the number of the goroutine that it runs on, from 0 and below workers: each can have work
// space of its own.
func Numbered(workers, n int, do func(worker, k int)) {
	var next atomic.Int64
	part := func(worker int) {
		for {
			k := int(next.Add(1)) - 1
			if k >= n {
				return
			}
			do(worker, k)
		}
	}
	if RaceDetector { // the counter would order, for the detector, what nothing else orders
		part = func(worker int) {
			for k := worker; k < n; k += max(1, min(workers, n)) {
				do(worker, k)
			}
		}
	}
	var wait Group
	defer wait.Wait() // also after a panic of part
	for worker := 1; worker < min(workers, n); worker++ {
		wait.Go(func() { part(worker) })
	}
	part(0)
}

// Stretches calls do for stretches of so many that cover 0 up to n, as Each. What do computes must not depend on where they begin: the
// race detector gets shorter ones, so that small problems are divided, too.
func Stretches(workers, size, n int, do func(first, last int)) {
	if RaceDetector {
		size = max(1, size/64)
	}
	Each(workers, (n+size-1)/size, func(k int) { do(k*size, min(n, (k+1)*size)) })
}
