package parallel

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// What is done in any order is followed up in order, one at a time, and no more than so many lie in between.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 8} {
		for _, n := range []int{0, 1, 2, 200} {
			for _, ahead := range []int{0, 1, 5, 64} {
				room, followed := make([]int, max(1, ahead)), 0
				var busy, open atomic.Int64
				InOrder(workers, n, ahead, func(_, k int) bool {
					if open.Add(1) > int64(len(room)) {
						t.Errorf("more than %d are done", len(room))
					}
					if k%7 == 0 {
						time.Sleep(10 * time.Microsecond)
					}
					room[k%len(room)] = k
					return true
				}, func(k int) {
					if busy.Add(1) != 1 || k != followed || room[k%len(room)] != k {
						t.Errorf("%d workers: %d follows %d", workers, k, followed-1)
					}
					followed++
					open.Add(-1)
					busy.Add(-1)
				})
				if followed != n {
					t.Errorf("%d workers, %d ahead: %d of %d followed up", workers, ahead, followed, n)
				}
			}
		}
	}
}

// It ends where one fails, and with a panic where one panics, whoever waits.
func TestInOrderEnds(t *testing.T) {
	wrong := errors.New("wrong")
	for _, workers := range []int{1, 4} {
		for _, at := range []int{0, 20, 99} {
			last := -1
			InOrder(workers, 100, 3, func(_, k int) bool { return k != at }, func(k int) { last = k })
			if last >= at || last < at-3 {
				t.Errorf("%d workers: number %d failed, and %d was the last followed up", workers, at, last)
			}
			for _, inThen := range []bool{false, true} {
				func() {
					defer func() {
						value := recover()
						if p, helper := value.(*Panic); value != any(wrong) && (!helper || !errors.Is(p, wrong)) {
							t.Errorf("recovered %v", value)
						}
					}()
					fail := func(k int, here bool) bool {
						if here && k == at {
							panic(wrong)
						}
						return true
					}
					InOrder(workers, 100, 3, func(_, k int) bool { return fail(k, !inThen) }, func(k int) { fail(k, inThen) })
					t.Errorf("no panic at %d", at)
				}()
			}
		}
	}
}
