// Package parallel divides work between goroutines.
package parallel

import "sync/atomic"

// Each calls do for 0 up to n, on up to so many goroutines: whoever is free takes the next. What do computes must not depend on
// the others. It returns when all are done.
func Each(workers, n int, do func(k int)) {
	var next atomic.Int64
	part := func() {
		for {
			k := int(next.Add(1)) - 1
			if k >= n {
				return
			}
			do(k)
		}
	}
	var wait Group
	defer wait.Wait() // also after a panic of part
	for range min(workers, n) - 1 {
		wait.Go(part)
	}
	part()
}

// Stretches calls do for stretches of so many that cover 0 up to n, as Each.
func Stretches(workers, size, n int, do func(first, last int)) {
	Each(workers, (n+size-1)/size, func(k int) { do(k*size, min(n, (k+1)*size)) })
}
