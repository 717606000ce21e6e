package progress

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"tenfold/io/sanitize"
)

// Console prints what a command says on standard error: lines for people, with a live one on a terminal; or for programs
// a JSON object on each line. Its methods may be called from several goroutines.
type Console struct {
	level slog.Level
	log   *slog.Logger // nil when it prints for people

	mu     sync.Mutex
	screen screen
	shown  time.Time // last time of a progress line, without a terminal
}

// Mode is how much a console prints, and in which form. The zero value prints events, and progress every ten seconds.
type Mode struct {
	Quiet   bool // only warnings, failed fits and errors
	Verbose bool // also every fit as it begins and ends
	JSON    bool // objects as log/slog writes them: time, level, msg (the line for people), event, and its attributes
}

// NewConsole returns a console that prints to out.
func NewConsole(out io.Writer, m Mode) *Console {
	v := &Console{screen: newScreen(out), shown: time.Now()}
	switch {
	case m.Quiet:
		v.level = slog.LevelWarn
	case m.Verbose:
		v.level = slog.LevelDebug
	}
	if m.JSON {
		if terminal(out) != nil {
			out = sanitize.Writer(out)
		}
		v.log = slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: v.level}))
		v.screen.file = nil
	}
	return v
}

// JSON reports whether it prints for programs.
func (c *Console) JSON() bool { return c.log != nil }

// enabled reports whether messages of a level are printed.
func (c *Console) enabled(level slog.Level) bool { return level >= c.level }

// hasLiveLine reports whether progress is a live line on a terminal.
func (c *Console) hasLiveLine() bool { return c.screen.isTerminal() && c.enabled(slog.LevelInfo) }

// Say prints an event on one line: text is for people, the attributes are for programs.
func (c *Console) Say(level slog.Level, event, text string, more ...slog.Attr) {
	c.SayLines(level, event, sanitize.Line(text), more...)
}

// SayLines prints an event whose text has several lines.
func (c *Console) SayLines(level slog.Level, event, text string, more ...slog.Attr) {
	if !c.enabled(level) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sayLocked(level, event, text, more)
}

func (c *Console) sayLocked(level slog.Level, event, text string, more []slog.Attr) {
	if c.log == nil {
		c.screen.printLine(text)
		return
	}
	c.log.LogAttrs(context.Background(), level, text, append([]slog.Attr{slog.String("event", event)}, more...)...)
}

// Warn prints a harmless problem.
func (c *Console) Warn(err error) {
	text := err.Error()
	if c.log == nil {
		text = "warning: " + text
	}
	c.SayLines(slog.LevelWarn, "warning", text)
}

// Show prints progress: on a terminal it replaces the live line, elsewhere it prints a line at most every ten seconds,
// however often it is called.
func (c *Console) Show(bar, line string, more ...slog.Attr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.hasLiveLine():
		c.screen.paintLine(bar + line)
	case c.enabled(slog.LevelInfo) && time.Since(c.shown) >= plainInterval:
		c.shown = time.Now()
		c.sayLocked(slog.LevelInfo, "progress", sanitize.Line(line), more)
	}
}

// Clear removes the live line.
func (c *Console) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.screen.clearLine()
}
