package progress

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
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
		v.log = slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: v.level}))
		v.screen.file = nil
	}
	return v
}

// JSON reports whether it prints for programs.
func (v *Console) JSON() bool { return v.log != nil }

// enabled reports whether messages of a level are printed.
func (v *Console) enabled(level slog.Level) bool { return level >= v.level }

// hasLiveLine reports whether progress is a live line on a terminal.
func (v *Console) hasLiveLine() bool { return v.screen.isTerminal() && v.enabled(slog.LevelInfo) }

// Say prints an event: text is for people, the attributes are for programs.
func (v *Console) Say(level slog.Level, event, text string, more ...slog.Attr) {
	if !v.enabled(level) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sayLocked(level, event, text, more)
}

func (v *Console) sayLocked(level slog.Level, event, text string, more []slog.Attr) {
	if v.log == nil {
		v.screen.printLine(text)
		return
	}
	v.log.LogAttrs(context.Background(), level, text, append([]slog.Attr{slog.String("event", event)}, more...)...)
}

// Warn prints a harmless problem.
func (v *Console) Warn(err error) {
	text := err.Error()
	if v.log == nil {
		text = "warning: " + text
	}
	v.Say(slog.LevelWarn, "warning", text)
}

// Show prints progress: on a terminal it replaces the live line, elsewhere it prints a line at most every ten seconds,
// however often it is called.
func (v *Console) Show(bar, line string, more ...slog.Attr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.hasLiveLine():
		v.screen.paintLine(bar + line)
	case v.enabled(slog.LevelInfo) && time.Since(v.shown) >= plainInterval:
		v.shown = time.Now()
		v.sayLocked(slog.LevelInfo, "progress", line, more)
	}
}

// Clear removes the live line.
func (v *Console) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.screen.clearLine()
}
