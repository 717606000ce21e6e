package method

import (
	"sync"
	"time"
)

// Watcher observes the processes of a host, which call it concurrently.
type Watcher interface {
	// Starts is called before a process starts, with the exchange folder of its first fit.
	Starts(folder string)
	// Ended is called when a process and its group are gone, before its folder is removed.
	Ended(End)
}

// End is how a process ended.
type End struct {
	Folder string // the exchange folder of its first fit
	Asked  bool   // it got SIGTERM, because it did not end at the end of its input
	Killed bool   // it got SIGKILL, because it did not end after SIGTERM
	Left   bool   // other processes of its group ran on for half of the grace time
	Peak   int64  // peak memory of its leader in bytes when it answered; 0 if unknown
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

// tellEnd tells the watcher, if there is one, how a process ended, after its leader has ended.
func (p *process) tellEnd() {
	if p.watcher == nil {
		return
	}
	pid := p.command.Process.Pid
	for begin := time.Now(); groupLives(pid); time.Sleep(sampling) {
		if time.Since(begin) > p.grace/2 {
			p.ending.note(func(e *End) { e.Left = true })
			break
		}
	}
	p.ending.mu.Lock()
	end := p.ending.End
	p.ending.mu.Unlock()
	p.watcher.Ended(end)
}

// notePeak records the peak memory of a process that has answered.
func (p *process) notePeak() {
	if p.watcher != nil {
		held := peakBytes(p.command.Process.Pid)
		p.ending.note(func(e *End) { e.Peak = max(e.Peak, held) })
	}
}
