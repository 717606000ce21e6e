package cli

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
	"tenfold/runner/plan"
	"tenfold/runner/progress"
)

// watchEvery is how often a run's folder is looked at.
const watchEvery = 500 * time.Millisecond

func (a *App) watchCommand() *cobra.Command {
	var m progress.Manner
	cmd := &cobra.Command{
		Use: "watch RUN", Short: "Follow a run from another terminal or host until it ends", Args: arguments(cobra.ExactArgs(1)),
		Long: "Reads what the processes that work in a run's folder say in it, and sums it up; it waits where none has begun yet.\n" +
			"At the end it prints where the results are, and its exit code is that of the run; 4 if the run was killed.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.speak(m); err != nil {
				return err
			}
			return a.watch(cmd.Context(), &watched{App: a, dir: args[0]})
		},
	}
	quieter(cmd, &m)
	return cmd
}

// watched is a run's folder that is looked at again and again.
type watched struct {
	*App
	dir     string
	seen    map[string]sighting
	waiting bool // which was said
}

// sighting is when a process was last seen to write its file, by the clock of this host: those of others may differ.
type sighting struct{ wrote, seen time.Time }

func (a *App) watch(ctx context.Context, w *watched) error {
	if info, err := os.Stat(w.dir); err == nil && !info.IsDir() {
		return invalid(isFile(w.dir))
	}
	t := time.NewTicker(watchEvery)
	defer t.Stop()
	defer a.Voice().Clear()
	for {
		over, err := w.look(time.Now())
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

// look at the folder once; over tells whether the run has ended, and the error how.
func (w *watched) look(now time.Time) (over bool, err error) {
	all, err := status.Read(w.dir)
	if err != nil {
		return true, err
	}
	w.date(all, now)
	sum := status.Sum(all, now)
	left := slices.ContainsFunc(all, func(s status.Status) bool { return s.State == status.StateDetached })
	if left { // whoever counted is gone
		if sum.Total, sum.Done, err = w.stored(); err != nil {
			return true, invalid(err)
		}
	}
	switch {
	case len(all) == 0:
		return w.nobody()
	case left && sum.Done == sum.Total:
		w.Voice().Clear()
		w.Voice().Say(slog.LevelInfo, "ended", fmt.Sprintf("%s: all fits are stored; tenfold run, without --detach, writes the results", w.dir), progress.Numbers(sum, now)...)
		return true, nil
	case sum.State == status.StateDetached:
		sum.Elsewhere = "jobs are in the queue, and none runs"
		w.Voice().Show(progress.Bar(sum), w.line(sum, now), progress.Numbers(sum, now)...)
		return false, nil
	case sum.State == status.StateRunning, sum.State == status.StateWriting:
		w.Voice().Show(progress.Bar(sum), company(all, now)+w.line(sum, now), progress.Numbers(sum, now)...)
		return false, nil
	}
	w.Voice().Clear()
	text := w.line(sum, sum.Updated)
	switch {
	case sum.Total+sum.Done > 0:
	case sum.Exit == ExitOK:
		text = "nothing was missing"
	default:
		text = "nothing was fitted"
	}
	w.Voice().Say(slog.LevelInfo, "ended", text+ago(sum, now), progress.Numbers(sum, sum.Updated)...)
	if sum.State == "" {
		return true, w.killed(all, now)
	}
	return true, w.ended(sum)
}

// date the files of processes that were seen to write one by our own clock.
func (w *watched) date(all []status.Status, now time.Time) {
	if w.seen == nil {
		w.seen = map[string]sighting{}
	}
	for i := range all {
		s := &all[i]
		name := fmt.Sprint(s.Host, " ", s.PID)
		before, known := w.seen[name]
		switch {
		case !known:
			w.seen[name] = sighting{wrote: s.Updated}
		case !before.wrote.Equal(s.Updated):
			w.seen[name] = sighting{s.Updated, now}
		}
		if at := w.seen[name].seen; !at.IsZero() {
			s.Updated = at
		}
	}
}

func (w *watched) line(s status.Status, now time.Time) string {
	if s.Elsewhere == planning {
		return planning
	}
	if s.State == status.StateWriting {
		return progress.Line(s, now) + "; writing results and report"
	}
	return progress.Line(s, now)
}

// company is how many processes there are, where they are several.
func company(all []status.Status, now time.Time) string {
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
	text := fmt.Sprintf("%s on %s", count(alive, "process"), count(len(hosts), "host"))
	if silent > 0 {
		text += fmt.Sprintf(", %d silent", silent)
	}
	return text + ": "
}

func ago(s status.Status, now time.Time) string {
	if past := now.Sub(s.Updated); past > time.Minute {
		return fmt.Sprintf("; %s ago", progress.Span(past))
	}
	return ""
}

// nobody has ever said anything here: the run has not begun, or it was made by an older tenfold or elsewhere, and has ended.
func (w *watched) nobody() (over bool, err error) {
	if _, err := files.Root(w.dir).Stat(results.ResultsFile); err == nil {
		return true, w.finished()
	}
	if !w.waiting {
		w.waiting = true
		planned, stored, err := w.stored()
		if err != nil {
			return true, invalid(err)
		}
		text := fmt.Sprintf("%s: waiting for a run to begin", w.dir)
		if planned > 0 {
			text += fmt.Sprintf("; %d of %s of an earlier one are stored", stored, count(planned, "fit"))
		}
		w.Voice().Say(slog.LevelInfo, "waiting", text, slog.String("run", w.dir), slog.Int("fits", planned), slog.Int("stored", stored))
	}
	return false, nil
}

// stored is how many fits the plan in the folder has, and how many of them are stored, well or not.
func (w *watched) stored() (planned, stored int, err error) {
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

// finished tells of a run by its results alone.
func (w *watched) finished() error {
	t, err := results.ReadColumns(filepath.Join(w.dir, results.ResultsFile), "status")
	if err != nil {
		return invalid(err)
	}
	frozen, err := plan.ParseFrozen([]byte(t.Plan))
	if err != nil {
		return invalid(fmt.Errorf("%s: %w", filepath.Join(w.dir, results.ResultsFile), err))
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
		s.Exit, s.Error = ExitIncomplete, fmt.Sprintf("%s: %d of %d fits failed, %d are missing", frozen.Name, s.Failed, s.Total, s.Total-s.Done)
	}
	w.Voice().Say(slog.LevelInfo, "ended", fmt.Sprintf("%s: %d of %s have results, %d failed", frozen.Name, s.Done, count(s.Total, "fit"), s.Failed))
	return w.ended(s)
}

// ended prints where the results are, as run does at its end, and is the exit code as an error.
func (w *watched) ended(s status.Status) error {
	path := filepath.Join(w.dir, results.ResultsFile)
	t, err := results.ReadFooter(path)
	switch {
	case err == nil:
		fmt.Fprintf(w.Out, "report  %s\nresults %s\ndigest %s\n", filepath.Join(w.dir, "report.md"), path, t.Digest)
	case !errors.Is(err, fs.ErrNotExist):
		w.warn(err)
	}
	switch {
	case s.Exit == ExitInterrupted:
		return failure{s.Exit, fmt.Errorf("%s: the run was interrupted; the same command goes on from there", w.dir)}
	case s.Exit != ExitOK:
		return failure{s.Exit, fmt.Errorf("%s: the run ended with exit code %d: %s", w.dir, s.Exit, s.Error)}
	}
	return nil
}

// killed is a run whose processes have all gone without a word, or some of them with one.
func (w *watched) killed(all []status.Status, now time.Time) error {
	var gone []string
	for _, s := range all {
		if !s.Over() && !s.Alive(now) {
			gone = append(gone, fmt.Sprintf("process %d on %s, for %s", s.PID, s.Host, progress.Span(now.Sub(s.Updated))))
		}
	}
	const most = 3
	if len(gone) > most {
		gone = append(gone[:most], fmt.Sprintf("%d more", len(gone)-most))
	}
	planned, stored, err := w.stored()
	if err != nil {
		w.warn(err)
	}
	return failure{ExitIncomplete, fmt.Errorf("%s: not heard of: %s; killed, or the host is gone. %d of %s are stored, and the same command goes on from there",
		w.dir, strings.Join(gone, "; "), stored, count(planned, "fit"))}
}
