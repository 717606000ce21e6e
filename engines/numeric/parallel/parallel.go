// Package parallel divides work between goroutines.
package parallel

import "sync/atomic"

// Each calls do for 0 up to n, on up to workers goroutines, each of which takes the next number when it is free. Calls of do must
// be independent of each other. It returns when all are done.
func Each(workers, n int, do func(k int)) {
	Numbered(workers, n, func(_, k int) { do(k) })
}

// Numbered does what Each does, and passes do the number of its goroutine, from 0 and below workers, so that each can have its own work
// space.
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
	if RaceDetector { // the shared counter would create an order that the detector takes for synchronisation
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

// Stretches calls do for ranges of the given size that cover 0 up to n, like Each. What do computes must not depend on where they
// begin: with the race detector they are shorter, so that small problems are split as well.
func Stretches(workers, size, n int, do func(first, last int)) {
	if RaceDetector {
		size = max(1, size/64)
	}
	Each(workers, (n+size-1)/size, func(k int) { do(k*size, min(n, (k+1)*size)) })
}
