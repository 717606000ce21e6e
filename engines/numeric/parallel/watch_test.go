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
	for range 2 {
		if w.Ended() {
			t.Error("it ends early")
		}
	}
	end()
	for range 3 {
		if !w.Ended() {
			t.Error("the end is not seen")
		}
	}
	if a.times != 3 { // twice before the end, and once after
		t.Errorf("asked %d times", a.times)
	}
}
