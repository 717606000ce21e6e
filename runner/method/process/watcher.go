package process

import "sync"

// Watcher observes the processes of a host, which call it concurrently.
type Watcher interface {
	// Starts is called before a process starts, with the exchange folder of its first fit.
	Starts(folder string)
	// Ended is called when a process and all that it has started are gone, before its folder is removed.
	Ended(End)
}

// End is how a process ended.
type End struct {
	Folder string // the exchange folder of its first fit
	Asked  bool   // it got SIGTERM, because it did not end at the end of its input
	Killed bool   // it got SIGKILL, because it did not end after SIGTERM
	Left   int    // processes that it had started, which ran on for half of the grace time and were then ended
	Peak   int64  // most memory in bytes until it answered: of the process by itself, or of all together; 0 if unknown
}

// ending collects what is known about the end of a process.
type ending struct {
	mu sync.Mutex
	End
}

func (e *ending) note(change func(*End)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.End)
}

// tellEnd tells the watcher, if there is one, how a process ended.
func (p *Process) tellEnd(left int) {
	if p.watcher == nil {
		return
	}
	p.ending.mu.Lock()
	end := p.ending.End
	p.ending.mu.Unlock()
	end.Left = left
	p.watcher.Ended(end)
}

// notePeak records the memory of a process that a watcher looks at.
func (p *Process) notePeak() {
	if p.watcher == nil {
		return
	}
	p.use(func() {
		const exactly = -1
		held := max(p.tree.peak(), p.tree.memory(exactly))
		p.ending.note(func(e *End) { e.Peak = max(e.Peak, held) })
	})
}
