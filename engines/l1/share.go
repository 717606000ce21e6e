package l1

import (
	"context"
	"sync/atomic"

	"tenfold/engines/parallel"
)

// grain is how many rows or columns a worker does between two looks at a context.
const grain = 4096

// share calls do for stretches that cover 0 up to n, on up to the given number of goroutines. What do computes must not
// depend on where stretches end. It stops early when ctx ends.
func share(ctx context.Context, workers, n int, do func(first, last int)) {
	shareBy(ctx, grain, workers, n, do)
}

// shareBy is share in stretches of the given size: whoever is free takes the next.
func shareBy(ctx context.Context, size, workers, n int, do func(first, last int)) {
	var next atomic.Int64
	part := func() {
		for ctx.Err() == nil {
			last := int(next.Add(int64(size)))
			if last-size >= n {
				return
			}
			do(last-size, min(last, n))
		}
	}
	var wait parallel.Group
	for range min(workers-1, n/size) {
		wait.Go(part)
	}
	part()
	wait.Wait()
}
