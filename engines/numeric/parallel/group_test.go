package parallel

import (
	"errors"
	"strings"
	"testing"
)

// TestPanic: what a helper panics with comes out where the work was asked for, when all others have ended.
func TestPanic(t *testing.T) {
	wrong := errors.New("wrong")
	for _, workers := range []int{1, 2, 8} {
		done := make([]bool, 50)
		func() {
			defer func() {
				value := recover()
				p, helper := value.(*Panic)
				if value != any(wrong) && (!helper || !errors.Is(p, wrong) || !strings.Contains(p.Error(), "group_test.go")) {
					t.Errorf("%d workers: recovered %v", workers, value)
				}
			}()
			Each(workers, len(done), func(k int) {
				if k == 7 {
					panic(wrong)
				}
				done[k] = true
			})
			t.Errorf("%d workers: no panic", workers)
		}()
		if workers == 2 && done[7] {
			t.Error("7 was done")
		}
	}
	var nested any
	func() {
		defer func() { nested = recover() }()
		var outer Group
		outer.Go(func() {
			var inner Group
			inner.Go(func() { panic(wrong) })
			inner.Wait()
		})
		outer.Wait()
	}()
	if p, ok := nested.(*Panic); !ok || p.Value != any(wrong) {
		t.Errorf("nested: %v", nested)
	}
}
