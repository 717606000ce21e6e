package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"tenfold/io/sanitize"
)

// Times between two plain lines without a terminal, and between two updates of the live line.
const (
	plainInterval = 10 * time.Second
	liveInterval  = 100 * time.Millisecond
)

// screen is an output that shows a live line if it is a terminal.
type screen struct {
	out     io.Writer
	file    *os.File // the terminal; nil if it is none
	painted bool     // the live line is shown
}

func newScreen(out io.Writer) screen {
	s := screen{out: out}
	if f := terminal(out); f != nil && os.Getenv("TERM") != "dumb" {
		s.file = f
	}
	return s
}

// terminal returns the terminal that out is; nil if it is none.
func terminal(out io.Writer) *os.File {
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// isTerminal reports whether a live line can be shown.
func (s *screen) isTerminal() bool { return s.file != nil }

// terminalWidth returns the present number of columns.
func (s *screen) terminalWidth() int {
	if w, _, err := term.GetSize(int(s.file.Fd())); err == nil && w > 20 {
		return w
	}
	return 80
}

// clearLine removes the live line.
func (s *screen) clearLine() {
	if s.painted {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.painted = false
	}
}

// paintLine replaces the live line, cut to the width of the terminal.
func (s *screen) paintLine(text string) {
	line := []rune(sanitize.Line(text))
	fmt.Fprintf(s.out, "\r%s\x1b[K", string(line[:min(len(line), s.terminalWidth()-1)]))
	s.painted = true
}

// printLine prints a line of its own; the live line comes back below it when it is painted next.
func (s *screen) printLine(text string) {
	s.clearLine()
	fmt.Fprintln(s.out, sanitize.Text(text))
}

// display shows one changing line: in place on a terminal, as separate lines elsewhere.
type display struct {
	screen
	mu          sync.Mutex
	currentLine func() string // called with the lock held; nothing is shown while it returns ""
	ticker      ticker
}

// open starts to show line, until end is called.
func (d *display) open(out io.Writer, line func() string) {
	d.screen, d.currentLine = newScreen(out), line
	every := plainInterval
	if d.isTerminal() {
		every = liveInterval
	}
	d.ticker.start(every, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.showLine()
	})
}

// end stops the ticker and removes the live line.
func (d *display) end() {
	d.ticker.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clearLine()
}

func (d *display) showLine() {
	switch text := d.currentLine(); {
	case text == "":
	case d.isTerminal():
		d.paintLine(text)
	default:
		d.printLine(sanitize.Line(text))
	}
}

// ticker calls a function at intervals.
type ticker struct {
	ended   chan struct{}
	ticking sync.WaitGroup
}

func (c *ticker) start(every time.Duration, do func()) {
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

// stop returns when the function is not running and will not be called again.
func (c *ticker) stop() {
	close(c.ended)
	c.ticking.Wait()
}

// barText draws a bar that is filled to share, between 0 and 1.
func barText(share float64) string {
	const cells = 20
	full := max(0, min(cells, int(cells*share)))
	return fmt.Sprintf("[%s%s] ", strings.Repeat("█", full), strings.Repeat("·", cells-full))
}
