package parallel

import (
	"context"
	"sync/atomic"
)

// Watch looks whether a context has ended, for goroutines that share it: from then on, none of them asks the context again.
type Watch struct {
	ctx   context.Context
	ended atomic.Bool
}

// NewWatch of a context.
func NewWatch(ctx context.Context) *Watch { return &Watch{ctx: ctx} }

// Ended tells whether the context has.
func (w *Watch) Ended() bool {
	if !w.ended.Load() && w.ctx.Err() != nil {
		w.ended.Store(true)
	}
	return w.ended.Load()
}
