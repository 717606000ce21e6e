package show

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
)

// watchInterval is the time between looks at a run's folder.
const watchInterval = 500 * time.Millisecond

// WatchCommand returns the command watch.
func WatchCommand(a *app.App) *cobra.Command {
	var m progress.Mode
	cmd := &cobra.Command{
		Use: "watch RUN", Short: "Follow a run from another terminal or host until it ends", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Reads what the processes that work in a run's folder say in it, and sums it up; it waits where none has begun yet.\n" +
			"At the end it prints where the results are, and its exit code is that of the run; 4 if the run was killed.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.SetProgress(m); err != nil {
				return err
			}
			return watchRun(cmd.Context(), a, &watcher{App: a, dir: args[0]})
		},
	}
	app.AddQuietFlags(cmd, &m)
	return cmd
}

// watcher follows a run by polling its folder.
type watcher struct {
	*app.App
	dir       string
	sightings map[string]sighting
	waiting   bool // the user was told that it waits
}

// sighting is when a process last wrote its file, by its own clock, and when that was seen, by the clock of this
// host. Clocks of hosts may differ.
type sighting struct{ wrote, seen time.Time }

func watchRun(ctx context.Context, a *app.App, w *watcher) error {
	if info, err := os.Stat(w.dir); err == nil && !info.IsDir() {
		return app.Invalid(app.NotFolderError(w.dir))
	}
	t := time.NewTicker(watchInterval)
	defer t.Stop()
	defer a.Console().Clear()
	for {
		over, err := w.poll(time.Now())
		if over || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

// poll looks at the folder once. over reports whether the run has ended, and err how.
func (w *watcher) poll(now time.Time) (over bool, err error) {
	all, err := status.Read(w.dir)
	if err != nil {
		return true, err
	}
	w.useLocalClock(all, now)
	sum := status.Sum(all, now)
	left := slices.ContainsFunc(all, func(s status.Status) bool { return s.State == status.StateDetached })
	if left { // the process that counted is gone
		if sum.Total, sum.Done, err = w.storedFits(); err != nil {
			return true, app.Invalid(err)
		}
	}
	switch {
	case len(all) == 0:
		return w.noProcesses()
	case left && sum.Done == sum.Total:
		w.Console().Clear()
		w.Console().Say(slog.LevelInfo, "ended", fmt.Sprintf("%s: all fits are stored; tenfold run, without --detach, writes the results", w.dir), progress.Numbers(sum, now)...)
		return true, nil
	case sum.State == status.StateDetached:
		sum.Elsewhere = "jobs are in the queue, and none runs"
		w.Console().Show(progress.Bar(sum), w.statusLine(sum, now), progress.Numbers(sum, now)...)
		return false, nil
	case sum.State == status.StateRunning, sum.State == status.StateWriting:
		w.Console().Show(progress.Bar(sum), processCount(all, now)+w.statusLine(sum, now), progress.Numbers(sum, now)...)
		return false, nil
	}
	w.Console().Clear()
	text := w.statusLine(sum, sum.Updated)
	switch {
	case sum.Total+sum.Done > 0:
	case sum.Exit == app.ExitOK:
		text = "nothing was missing"
	default:
		text = "nothing was fitted"
	}
	w.Console().Say(slog.LevelInfo, "ended", text+updatedAgo(sum, now), progress.Numbers(sum, sum.Updated)...)
	if sum.State == "" {
		return true, w.killedError(all, now)
	}
	return true, w.reportEnd(sum)
}

// useLocalClock replaces the time stamps of processes by the times at which their writes were seen here.
func (w *watcher) useLocalClock(all []status.Status, now time.Time) {
	if w.sightings == nil {
		w.sightings = map[string]sighting{}
	}
	for i := range all {
		s := &all[i]
		name := fmt.Sprint(s.Host, " ", s.PID)
		before, known := w.sightings[name]
		switch {
		case !known:
			w.sightings[name] = sighting{wrote: s.Updated}
		case !before.wrote.Equal(s.Updated):
			w.sightings[name] = sighting{s.Updated, now}
		}
		if seen := w.sightings[name].seen; !seen.IsZero() {
			s.Updated = seen
		}
	}
}

func (w *watcher) statusLine(s status.Status, now time.Time) string {
	if s.Elsewhere == status.Planning {
		return s.Elsewhere
	}
	if s.State == status.StateWriting {
		return progress.Line(s, now) + "; writing results and report"
	}
	return progress.Line(s, now)
}

// processCount says how many processes work on the run, if there are several.
func processCount(all []status.Status, now time.Time) string {
	hosts, alive, silent := map[string]bool{}, 0, 0
	for _, s := range all {
		switch {
		case s.Alive(now):
			alive++
			hosts[s.Host] = true
		case !s.Over():
			silent++
		}
	}
	if alive+silent < 2 {
		return ""
	}
	text := fmt.Sprintf("%s on %s", app.Pluralize(alive, "process"), app.Pluralize(len(hosts), "host"))
	if silent > 0 {
		text += fmt.Sprintf(", %d silent", silent)
	}
	return text + ": "
}

func updatedAgo(s status.Status, now time.Time) string {
	if past := now.Sub(s.Updated); past > time.Minute {
		return fmt.Sprintf("; %s ago", progress.Span(past))
	}
	return ""
}

// noProcesses handles a folder in which no process reported: the run has not begun, or it ended elsewhere.
func (w *watcher) noProcesses() (over bool, err error) {
	if _, err := files.Root(w.dir).Stat(results.ResultsFile); err == nil {
		return true, w.finishedRun()
	}
	if !w.waiting {
		w.waiting = true
		planned, stored, err := w.storedFits()
		if err != nil {
			return true, app.Invalid(err)
		}
		text := fmt.Sprintf("%s: waiting for a run to begin", w.dir)
		if planned > 0 {
			text += fmt.Sprintf("; %d of %s of an earlier one are stored", stored, app.Pluralize(planned, "fit"))
		}
		w.Console().Say(slog.LevelInfo, "waiting", text, slog.String("run", w.dir), slog.Int("fits", planned), slog.Int("stored", stored))
	}
	return false, nil
}

// storedFits returns the number of fits in the folder's plan, and how many of them are stored, failed ones included.
func (w *watcher) storedFits() (planned, stored int, err error) {
	frozen, err := plan.ReadFrozen(w.dir)
	if frozen == nil || err != nil {
		return 0, 0, err
	}
	keys, err := journal.At(w.dir).Keys()
	if err != nil {
		return 0, 0, err
	}
	there := map[string]bool{}
	for _, k := range keys {
		there[k] = true
	}
	for _, c := range frozen.Cells {
		for _, u := range c.Units {
			planned++
			if there[u.Unit] {
				stored++
			}
		}
	}
	return planned, stored, nil
}

// finishedRun sums up a run from its results alone.
func (w *watcher) finishedRun() error {
	t, err := results.ReadColumns(filepath.Join(w.dir, results.ResultsFile), "status")
	if err != nil {
		return app.Invalid(err)
	}
	frozen, err := plan.ParseFrozen([]byte(t.Plan))
	if err != nil {
		return app.Invalid(fmt.Errorf("%s: %w", filepath.Join(w.dir, results.ResultsFile), err))
	}
	s := status.Status{State: status.StateEnded, Done: len(t.Rows)}
	for _, c := range frozen.Cells {
		s.Total += len(c.Units)
	}
	for _, r := range t.Rows {
		if r.Status != results.OK {
			s.Failed++
		}
	}
	if bad := s.Failed + s.Total - s.Done; bad > 0 {
		s.Exit, s.Error = app.ExitIncomplete, fmt.Sprintf("%s: %d of %d fits failed, %d are missing", frozen.Name, s.Failed, s.Total, s.Total-s.Done)
	}
	w.Console().Say(slog.LevelInfo, "ended", fmt.Sprintf("%s: %d of %s have results, %d failed", frozen.Name, s.Done, app.Pluralize(s.Total, "fit"), s.Failed))
	return w.reportEnd(s)
}

// reportEnd prints where the results are, as run does, and returns the run's exit code as an error.
func (w *watcher) reportEnd(s status.Status) error {
	path := filepath.Join(w.dir, results.ResultsFile)
	t, err := results.ReadFooter(path)
	switch {
	case err == nil:
		if err := w.PrintText(ReportLines(w.dir) + ResultLines(path, t.Digest)); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return app.Invalid(err)
	}
	switch {
	case s.Exit == app.ExitInterrupted:
		return app.WithExit(s.Exit, fmt.Errorf("%s: the run was interrupted; the same command goes on from there", w.dir))
	case s.Exit != app.ExitOK:
		return app.WithExit(s.Exit, fmt.Errorf("%s: the run ended with exit code %d: %s", w.dir, s.Exit, s.Error))
	}
	return nil
}

// killedError describes a run whose processes are gone without having said how they ended.
func (w *watcher) killedError(all []status.Status, now time.Time) error {
	var gone []string
	for _, s := range all {
		if !s.Over() && !s.Alive(now) {
			gone = append(gone, fmt.Sprintf("process %d on %s, for %s", s.PID, s.Host, progress.Span(now.Sub(s.Updated))))
		}
	}
	const limit = 3
	if len(gone) > limit {
		gone = append(gone[:limit], fmt.Sprintf("%d more", len(gone)-limit))
	}
	planned, stored, err := w.storedFits()
	if err != nil {
		w.Warn(err)
	}
	return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: not heard of: %s; killed, or the host is gone. %d of %s are stored, and the same command goes on from there",
		w.dir, strings.Join(gone, "; "), stored, app.Pluralize(planned, "fit")))

}
