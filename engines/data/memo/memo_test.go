package memo

import (
	"errors"
	"sync"
	"testing"
)

// TestOnce: a value is made once for a key, also for several goroutines; what failed is made again, and so is everything where nothing is
// kept.
func TestOnce(t *testing.T) {
	type key struct{ column int }
	made := 0
	ask := func(v *Values, column int, err error) (int, error) {
		return Once(v, key{column}, func() (int, error) { made++; return made, err })
	}
	var v Values
	if _, err := ask(&v, 0, errors.New("not yet")); err == nil {
		t.Error("the error is lost")
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got, err := ask(&v, 0, nil); got != 2 || err != nil {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	all.Wait()
	for k, v := range []*Values{&v, new(Values), nil, nil} {
		if got, err := ask(v, 1, nil); got != 3+k || err != nil {
			t.Errorf("%d: %d, %v", k, got, err)
		}
	}
}
