package lasso

import (
	"context"
	"sync/atomic"

	"tenfold/engines/parallel"
)

// share calls do for 0 up to n, on up to the given number of goroutines, in stretches that whoever is free takes. Calls must
// not depend on each other. It stops early when ctx ends.
func share(ctx context.Context, workers, n int, do func(k int)) {
	const stretch = 256
	var next atomic.Int64
	part := func() {
		for ctx.Err() == nil {
			last := int(next.Add(stretch))
			if last-stretch >= n {
				return
			}
			for k := last - stretch; k < min(last, n); k++ {
				do(k)
			}
		}
	}
	var wait parallel.Group
	for range min(workers-1, n/stretch) {
		wait.Go(part)
	}
	part()
	wait.Wait()
}
