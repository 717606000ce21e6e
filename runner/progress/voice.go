package progress

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Voice is what a command says on standard error: lines for people, and a live one on a terminal; or, for programs, a JSON
// object a line. Its methods may be called from several goroutines.
type Voice struct {
	level slog.Level
	log   *slog.Logger // nil for people

	mu     sync.Mutex
	screen screen
	shown  time.Time // when it was last said how things stand, where there is no terminal
}

// Manner of a voice. The zero value says what happens, and every ten seconds how things stand.
type Manner struct {
	Quiet   bool // only warnings, failed fits and errors
	Verbose bool // also every fit as it begins and ends
	JSON    bool // objects, as log/slog writes them: time, level, msg (the line for people), event, and what belongs to that
}

// NewVoice speaks to out.
func NewVoice(out io.Writer, m Manner) *Voice {
	v := &Voice{screen: newScreen(out), shown: time.Now()}
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

// JSON tells whether programs listen.
func (v *Voice) JSON() bool { return v.log != nil }

// says tells whether anything of a level is said.
func (v *Voice) says(level slog.Level) bool { return level >= v.level }

// live tells whether there is a line to be painted.
func (v *Voice) live() bool { return v.screen.live() && v.says(slog.LevelInfo) }

// Say what happened: text is for people, what else there is to know in attributes is for programs.
func (v *Voice) Say(level slog.Level, event, text string, more ...slog.Attr) {
	if !v.says(level) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.say(level, event, text, more)
}

func (v *Voice) say(level slog.Level, event, text string, more []slog.Attr) {
	if v.log == nil {
		v.screen.print(text)
		return
	}
	v.log.LogAttrs(context.Background(), level, text, append([]slog.Attr{slog.String("event", event)}, more...)...)
}

// Warn of what is wrong and does no harm.
func (v *Voice) Warn(err error) {
	text := err.Error()
	if v.log == nil {
		text = "warning: " + text
	}
	v.Say(slog.LevelWarn, "warning", text)
}

// Show how things stand: on a terminal the line takes the place of the one before, with a bar; elsewhere it is said every
// ten seconds, however often it is shown.
func (v *Voice) Show(bar, line string, more ...slog.Attr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.live():
		v.screen.paint(bar + line)
	case v.says(slog.LevelInfo) && time.Since(v.shown) >= plainEvery:
		v.shown = time.Now()
		v.say(slog.LevelInfo, "progress", line, more)
	}
}

// Clear removes the live line.
func (v *Voice) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.screen.clear()
}
