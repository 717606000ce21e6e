package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"tenfold/io/plain"
)

// Quiet time between two lines where there is no terminal, and between two paintings of the live line.
const (
	plainEvery = 10 * time.Second
	liveEvery  = 100 * time.Millisecond
)

// screen has a live line where it is a terminal.
type screen struct {
	out     io.Writer
	file    *os.File // the terminal; nil where there is none
	painted bool     // the live line is there
}

func newScreen(out io.Writer) screen {
	s := screen{out: out}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		s.file = f
	}
	return s
}

// live tells whether there is a terminal.
func (s *screen) live() bool { return s.file != nil }

// width of the terminal, as it is now.
func (s *screen) width() int {
	if w, _, err := term.GetSize(int(s.file.Fd())); err == nil && w > 20 {
		return w
	}
	return 80
}

// clear removes the live line.
func (s *screen) clear() {
	if s.painted {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.painted = false
	}
}

// paint the live line anew, as much of it as there is room for.
func (s *screen) paint(text string) {
	line := []rune(plain.Text(text))
	fmt.Fprintf(s.out, "\r%s\x1b[K", string(line[:min(len(line), s.width()-1)]))
	s.painted = true
}

// print a line, below which the live one comes again when it is painted next.
func (s *screen) print(text string) {
	s.clear()
	fmt.Fprintln(s.out, plain.Text(text))
}

// display shows one line, again and again: in place on a terminal, below each other elsewhere.
type display struct {
	screen
	mu    sync.Mutex
	line  func() string // the line as it is now, asked for with the lock held; nothing is shown while it is empty
	clock clock
}

// open the display, which shows line until it is closed.
func (d *display) open(out io.Writer, line func() string) {
	d.screen, d.line = newScreen(out), line
	every := plainEvery
	if d.live() {
		every = liveEvery
	}
	d.clock.start(every, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.show()
	})
}

// end stops the showing and removes the live line.
func (d *display) end() {
	d.clock.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
}

func (d *display) show() {
	switch text := d.line(); {
	case text == "":
	case d.live():
		d.paint(text)
	default:
		d.print(text)
	}
}

// clock does something again and again.
type clock struct {
	ended   chan struct{}
	ticking sync.WaitGroup
}

func (c *clock) start(every time.Duration, do func()) {
	c.ended = make(chan struct{})
	c.ticking.Go(func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-c.ended:
				return
			case <-t.C:
				do()
			}
		}
	})
}

// stop returns when it is not being done any more, and will not be.
func (c *clock) stop() {
	close(c.ended)
	c.ticking.Wait()
}

// bar that is filled by a share.
func bar(share float64) string {
	const cells = 20
	full := max(0, min(cells, int(cells*share)))
	return fmt.Sprintf("[%s%s] ", strings.Repeat("█", full), strings.Repeat("·", cells-full))
}
