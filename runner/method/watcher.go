package method

import (
	"sync"
	"time"
)

// Watcher is told of the processes of a host, by them at the same time.
type Watcher interface {
	// Starts is called before a process starts, with the exchange folder of its first fit.
	Starts(folder string)
	// Ended is called when a process and its group are gone, before its folder is.
	Ended(End)
}

// End is how a process ended.
type End struct {
	Folder string // the exchange folder of its first fit
	Asked  bool   // by SIGTERM, since it did not end at the end of its input
	Killed bool   // by SIGKILL, since it did not end when it was asked to
	Left   bool   // other processes of its group went on for half the time that it has to end
	Peak   int64  // bytes that its leader held at most when it answered; 0 if that is not known
}

// ending is what is known of a process so far.
type ending struct {
	mu sync.Mutex
	End
}

func (e *ending) note(change func(*End)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.End)
}

// tellEnd tells the watcher, if there is one, how a process ended whose leader has been waited for.
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

// notePeak of the memory of a process that has answered.
func (p *process) notePeak() {
	if p.watcher != nil {
		held := peakBytes(p.command.Process.Pid)
		p.ending.note(func(e *End) { e.Peak = max(e.Peak, held) })
	}
}
