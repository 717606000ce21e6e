package parallel

import (
	"context"
	"sync/atomic"
)

// Watch polls whether a context has ended, for goroutines that share it: once it has, none of them asks the context again.
type Watch struct {
	ctx   context.Context
	ended atomic.Bool
}

// NewWatch returns a Watch of ctx.
func NewWatch(ctx context.Context) *Watch { return &Watch{ctx: ctx} }

// Ended reports whether the context has ended.
func (w *Watch) Ended() bool {
	if !w.ended.Load() && w.ctx.Err() != nil {
		w.ended.Store(true)
	}
	return w.ended.Load()
}
