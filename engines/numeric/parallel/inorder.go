package parallel

import "sync"

// InOrder does what Numbered does, and calls then for 0 up to n, in this order and one at a time, each after do has returned for it. At
// most ahead numbers are being done or waiting for then: what do leaves for then can be stored at k modulo ahead. If do returns false,
// InOrder ends early, without the remaining calls.
func InOrder(workers, n, ahead int, do func(worker, k int) bool, then func(k int)) {
	q := &queue{n: n, ahead: max(1, ahead), ready: make([]bool, max(1, ahead))}
	q.moved.L = &q.mu
	part := func(worker int) {
		defer q.end() // also after a panic of do or then
		for {
			k, ok := q.take()
			if !ok || !do(worker, k) {
				return
			}
			q.finish(k, then)
		}
	}
	var wait Group
	defer wait.Wait()
	for worker := 1; worker < min(workers, n); worker++ {
		wait.Go(func() { part(worker) })
	}
	part(0)
}

// queue hands out numbers that are done in any order, and followed up in order.
type queue struct {
	mu       sync.Mutex
	moved    sync.Cond // wakes goroutines waiting for room
	n, ahead int
	next     int    // the next number to do
	followed int    // then has been called for those below
	ready    []bool // do has returned, by number modulo ahead
	busy     bool   // a goroutine is calling then
	ended    bool
}

// take returns the next number, as soon as it is not too far ahead.
func (q *queue) take() (k int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.ended && q.next < q.n && q.next-q.followed >= q.ahead {
		q.moved.Wait()
	}
	if q.ended || q.next >= q.n {
		return 0, false
	}
	q.next++
	return q.next - 1, true
}

// finish marks number k as done; the first goroutine here calls then for all numbers whose turn it is.
func (q *queue) finish(k int, then func(k int)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready[k%q.ahead] = true
	for !q.busy && !q.ended && q.ready[q.followed%q.ahead] {
		q.busy = true
		turn := q.followed
		q.call(then, turn)
		q.ready[turn%q.ahead], q.busy = false, false
		q.followed++
		q.moved.Broadcast()
	}
}

// call calls then without holding the lock.
func (q *queue) call(then func(k int), k int) {
	q.mu.Unlock()
	defer q.mu.Lock()
	then(k)
}

// end wakes all goroutines if work ends early; if every number is taken, those that hold them finish.
func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.next < q.n {
		q.ended = true
		q.moved.Broadcast()
	}
}
