package execute

import (
	"context"
	"sync"
)

// budget keeps the predicted memory of units in flight below a size. The data of a split counts once, however many of its
// units are in flight.
type budget struct {
	mu     sync.Mutex
	freed  *sync.Cond
	size   int64 // 0: no limit
	used   int64
	splits map[*Split]splitUse
}

// splitUse is the share of the budget that a split with units in flight uses. The bytes are computed once: the data may be
// unreadable by the end.
type splitUse struct {
	units int
	bytes int64
}

func newBudget(size int64) *budget {
	b := &budget{size: size, splits: map[*Split]splitUse{}}
	b.freed = sync.NewCond(&b.mu)
	return b
}

// acquire waits until there is room for a unit: its own bytes, and those of its split unless another unit holds them. A
// unit larger than the whole budget waits until it is alone. The error is the cause of ctx.
func (b *budget) acquire(ctx context.Context, s *Split, bytes int64) (release func(), err error) {
	wake := context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.freed.Broadcast()
	})
	defer wake()
	b.mu.Lock()
	defer b.mu.Unlock()
	for ctx.Err() == nil && b.used > 0 && b.size > 0 && b.used+b.costOf(s, bytes) > b.size {
		b.freed.Wait()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	held := b.splits[s]
	if held.units == 0 {
		held.bytes = s.Bytes()
		b.used += held.bytes
	}
	held.units++
	b.used += bytes
	b.splits[s] = held
	return func() { b.release(s, bytes) }, nil
}

func (b *budget) costOf(s *Split, bytes int64) int64 {
	if b.splits[s].units > 0 {
		return bytes
	}
	return bytes + s.Bytes()
}

func (b *budget) release(s *Split, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	held := b.splits[s]
	b.used -= bytes
	if held.units--; held.units > 0 {
		b.splits[s] = held
	} else {
		delete(b.splits, s)
		b.used -= held.bytes
	}
	b.freed.Broadcast()
}
