package progress

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Transfer shows the progress of downloads.
type Transfer struct {
	display
	name        string
	done, total int64 // bytes; a total of -1 is unknown
	first       int64 // bytes that were there at the beginning
	begun       time.Time
}

// NewTransfer returns a display that shows nothing before Begin. Call Close at the end.
func NewTransfer(out io.Writer) *Transfer {
	t := &Transfer{}
	t.open(out, t.currentLine)
	return t
}

// Begin starts with another file.
func (t *Transfer) Begin(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.name, t.begun = name, time.Time{}
}

// End ends the file; nothing is shown until the next Begin.
func (t *Transfer) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun = time.Time{}
	t.clearLine()
}

// At reports the bytes done, and the total or -1 if it is unknown.
func (t *Transfer) At(done, total int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun.IsZero() || done < t.done {
		t.begun, t.first = time.Now(), done
	}
	t.done, t.total = done, total
}

// Say prints a line of its own.
func (t *Transfer) Say(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.printLine(line)
}

// Close ends the display.
func (t *Transfer) Close() { t.end() }

func (t *Transfer) currentLine() string {
	if t.begun.IsZero() {
		return ""
	}
	var b strings.Builder
	if t.isTerminal() && t.total > 0 {
		b.WriteString(barText(float64(t.done) / float64(t.total)))
	}
	fmt.Fprintf(&b, "%s: %s", t.name, Bytes(t.done))
	if t.total >= 0 {
		fmt.Fprintf(&b, " of %s", Bytes(t.total))
	}
	rate := float64(t.done-t.first) / max(1e-3, time.Since(t.begun).Seconds())
	if rate > 0 {
		fmt.Fprintf(&b, ", %s/s", Bytes(int64(rate)))
		if left := float64(t.total - t.done); left > 0 {
			fmt.Fprintf(&b, ", about %s left", Span(time.Duration(left/rate*float64(time.Second))))
		}
	}
	return b.String()
}
