package progress

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	"tenfold/io/status"
)

// maxNamedUnits is how many running units the line names, longest running first.
const maxNamedUnits = 2

// Line sums up the state of a run for people: fits done, time spent, rate, time left, memory, and the units that run,
// with a note on slow ones.
func Line(s status.Status, now time.Time) string {
	var b strings.Builder
	spent := now.Sub(s.Started)
	fmt.Fprintf(&b, "%d/%d fits", s.Done, s.Total)
	if s.Failed > 0 {
		fmt.Fprintf(&b, ", %d failed", s.Failed)
	}
	fmt.Fprintf(&b, ", %s", Span(spent))
	if s.Done > 0 && spent > 0 {
		fmt.Fprintf(&b, ", %s", rateText(float64(s.Done)/spent.Seconds()))
	}
	switch {
	case s.Done >= s.Total:
	case s.Left > 0:
		fmt.Fprintf(&b, ", about %s left", Span(time.Duration(s.Left*float64(time.Second))))
	case len(s.Running) > 0:
		b.WriteString(", time left unknown")
	}
	if s.Memory > 0 {
		fmt.Fprintf(&b, ", %s", Bytes(s.Memory))
	}
	if s.Elsewhere != "" && s.Done < s.Total {
		fmt.Fprintf(&b, "; %s", s.Elsewhere)
	}
	for i, r := range s.Running[:min(maxNamedUnits, len(s.Running))] {
		b.WriteString([]string{"; running ", ", "}[min(i, 1)] + r.Name + " " + Span(now.Sub(r.Since)))
		if r.Doing != "" {
			fmt.Fprintf(&b, " (%s)", r.Doing)
		}
		if r.Slow(now) {
			fmt.Fprintf(&b, " (slow: usually %s)", usualText(r))
		}
	}
	if more := len(s.Running) - maxNamedUnits; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

func usualText(r status.Running) string { return Span(time.Duration(r.Usual * float64(time.Second))) }

// Bar returns the bar that precedes Line on a terminal; "" when all is done.
func Bar(s status.Status) string {
	if s.Done >= s.Total {
		return ""
	}
	return barText(float64(s.Done) / float64(s.Total))
}

// Numbers returns what Line says, for programs.
func Numbers(s status.Status, now time.Time) []slog.Attr {
	running := make([]string, 0, len(s.Running))
	for _, r := range s.Running {
		running = append(running, r.Name)
	}
	return []slog.Attr{
		slog.Int("total", s.Total), slog.Int("done", s.Done), slog.Int("failed", s.Failed), slog.Float64("seconds", now.Sub(s.Started).Seconds()),
		slog.Float64("left", s.Left), slog.Int64("memory", s.Memory), slog.Any("running", running),
	}
}

// spanFormat is how durations below some limit are written, in units and parts of them.
type spanFormat struct {
	below, unit, part time.Duration
	form              string
}

// spanFormats are the formats from a minute on.
var spanFormats = []spanFormat{
	{time.Hour, time.Minute, time.Second, "%dm%02ds"}, {24 * time.Hour, time.Hour, time.Minute, "%dh%02dm"}, {math.MaxInt64, 24 * time.Hour, time.Hour, "%dd%02dh"},
}

// Span formats a duration for people: 40ms, 1.2s, 12s, 3m05s, 2h10m, 3d04h.
func Span(d time.Duration) string {
	switch {
	case d < 995*time.Millisecond:
		return fmt.Sprintf("%dms", max(0, d).Round(time.Millisecond).Milliseconds())
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < 59500*time.Millisecond:
		return fmt.Sprintf("%.0fs", d.Seconds())
	}
	i := slices.IndexFunc(spanFormats, func(s spanFormat) bool { return d.Round(s.part) < s.below })
	s, whole := spanFormats[i], d.Round(spanFormats[i].part)
	return fmt.Sprintf(s.form, whole/s.unit, whole%s.unit/s.part)
}

// rateText formats a rate by second, minute or hour, whichever gives a readable number.
func rateText(perSecond float64) string {
	switch {
	case perSecond >= 1:
		return fmt.Sprintf("%.3g/s", perSecond)
	case perSecond*60 >= 1:
		return fmt.Sprintf("%.3g/min", perSecond*60)
	}
	return fmt.Sprintf("%.3g/h", perSecond*3600)
}

// Bytes formats a size for people.
func Bytes(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	size, unit := float64(n)/(1<<10), 0
	for size >= 1023.95 && unit < 3 {
		size, unit = size/(1<<10), unit+1
	}
	return fmt.Sprintf("%.1f %s", size, []string{"KiB", "MiB", "GiB", "TiB"}[unit])
}
