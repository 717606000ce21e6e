package parallel

import (
	"context"
	"testing"
)

// asked counts how often it is asked whether it has ended.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error {
	a.times++
	return a.Context.Err()
}

// A context is asked until it has ended, and not again.
func TestWatch(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	a := &asked{Context: ctx}
	w := NewWatch(a)
	if w.Ended() || w.Ended() || a.times != 2 {
		t.Errorf("before the end it is asked %d times", a.times)
	}
	end()
	for range 3 {
		if !w.Ended() {
			t.Error("the end is not seen")
		}
	}
	if a.times != 3 {
		t.Errorf("asked %d times", a.times)
	}
}
