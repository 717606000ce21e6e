package runner

import (
	"context"
	"sync"
)

// budget keeps the predicted memory of units in flight below a size. The data of a split counts once, however many of
// its units are in flight.
type budget struct {
	mu    sync.Mutex
	freed *sync.Cond
	size  int64 // 0: no limit
	used  int64
	open  map[*Split]share
}

// share is what a split with units in flight takes of the budget. It is asked for once: the data may be unreadable by the end.
type share struct {
	units int
	bytes int64
}

func newBudget(size int64) *budget {
	b := &budget{size: size, open: map[*Split]share{}}
	b.freed = sync.NewCond(&b.mu)
	return b
}

// acquire waits until a unit fits: its own bytes, and those of its split unless another unit holds them. One that is
// larger than the whole budget waits until it is alone. The error is that of ctx.
func (b *budget) acquire(ctx context.Context, s *Split, bytes int64) (release func(), err error) {
	wake := context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.freed.Broadcast()
	})
	defer wake()
	b.mu.Lock()
	defer b.mu.Unlock()
	for ctx.Err() == nil && b.used > 0 && b.size > 0 && b.used+b.cost(s, bytes) > b.size {
		b.freed.Wait()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	held := b.open[s]
	if held.units == 0 {
		held.bytes = s.Bytes()
		b.used += held.bytes
	}
	held.units++
	b.used += bytes
	b.open[s] = held
	return func() { b.release(s, bytes) }, nil
}

func (b *budget) cost(s *Split, bytes int64) int64 {
	if b.open[s].units > 0 {
		return bytes
	}
	return bytes + s.Bytes()
}

func (b *budget) release(s *Split, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	held := b.open[s]
	b.used -= bytes
	if held.units--; held.units > 0 {
		b.open[s] = held
	} else {
		delete(b.open, s)
		b.used -= held.bytes
	}
	b.freed.Broadcast()
}
