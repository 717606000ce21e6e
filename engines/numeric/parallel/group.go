package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Group is a sync.WaitGroup that re-raises a panic of its goroutines in Wait, as if the waiting goroutine had done their work: a
// bug in a fit then ends that fit, not the process with all other fits.
type Group struct {
	wait  sync.WaitGroup
	mu    sync.Mutex
	first *Panic
}

// Panic holds the value that a goroutine panicked with, and its stack.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// Unwrap returns the error that the goroutine panicked with; nil for other values.
func (p *Panic) Unwrap() error { err, _ := p.Value.(error); return err }

// Go runs do on a goroutine of its own. There, a fault in mapped memory (of a file that was truncated) is a panic like others.
func (g *Group) Go(do func()) {
	g.wait.Go(func() {
		defer g.recordPanic()
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		do()
	})
}

// recordPanic, when deferred, recovers from a panic and keeps the first one with its stack.
func (g *Group) recordPanic() {
	value := recover()
	if value == nil {
		return
	}
	p, nested := value.(*Panic)
	if !nested {
		p = &Panic{value, debug.Stack()}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		g.first = p
	}
}

// Wait waits until all have ended, and panics with the first *Panic of them.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.first != nil {
		panic(g.first)
	}
}
