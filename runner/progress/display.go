package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// Quiet time between two lines where there is no terminal, and between two paintings of the live line.
const (
	plainEvery = 10 * time.Second
	liveEvery  = 100 * time.Millisecond
)

// display shows one line, again and again: in place on a terminal, below each other elsewhere.
type display struct {
	mu      sync.Mutex
	out     io.Writer
	width   int           // of the terminal; 0 elsewhere
	line    func() string // the line as it is now, asked for with the lock held; nothing is shown while it is empty
	ended   chan struct{}
	ticking sync.WaitGroup
}

// open the display, which shows line until it is closed.
func (d *display) open(out io.Writer, line func() string) {
	d.out, d.line, d.ended = out, line, make(chan struct{})
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		d.width = 80
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			d.width = w
		}
	}
	d.ticking.Go(d.tick)
}

func (d *display) tick() {
	every := plainEvery
	if d.width > 0 {
		every = liveEvery
	}
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-d.ended:
			return
		case <-t.C:
			d.mu.Lock()
			d.show()
			d.mu.Unlock()
		}
	}
}

// end stops the showing and removes the live line.
func (d *display) end() {
	close(d.ended)
	d.ticking.Wait() // what follows stays the last
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
}

func (d *display) clear() {
	if d.width > 0 {
		fmt.Fprint(d.out, "\r\x1b[K")
	}
}

func (d *display) show() {
	text := d.line()
	switch {
	case text == "":
	case d.width == 0:
		fmt.Fprintln(d.out, text)
	default:
		line := []rune(text)
		d.clear()
		fmt.Fprint(d.out, string(line[:min(len(line), d.width-1)]))
	}
}

// bar that is filled by a share.
func bar(share float64) string {
	const cells = 20
	full := min(cells, int(cells*share))
	return fmt.Sprintf("[%s%s] ", strings.Repeat("█", full), strings.Repeat("·", cells-full))
}
