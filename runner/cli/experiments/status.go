package experiments

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"tenfold/io/files"
	"tenfold/io/status"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
)

// announcement tells watchers of a run's folder that a run is about to begin, while it is planned or waits for others.
type announcement struct {
	file *status.Writer
	stop func()
}

// announce writes an announcement to a folder that has a finished run: watchers would otherwise see how that one
// ended. It returns nil if there is none, or if another process or its jobs are at work.
func announce(a *app.App, dir string) *announcement {
	if _, err := files.Root(dir).Stat(plan.FileName); err != nil {
		return nil
	}
	now := time.Now()
	busy := func(s status.Status) bool { return s.Alive(now) || s.State == status.StateDetached }
	if all, err := status.Read(dir); err != nil || slices.ContainsFunc(all, busy) {
		return nil
	}
	file := openStatus(a, dir)
	if file == nil {
		return nil
	}
	stop, err := file.Keep(status.Status{Elsewhere: status.Planning})
	if err != nil {
		a.Warn(err)
	}
	return &announcement{file, stop}
}

// withdraw ends the announcement of a run that did not begin.
func (n *announcement) withdraw(ctx context.Context, err error) {
	if n == nil {
		return
	}
	n.stop()
	if ctx.Err() != nil {
		_ = n.file.End(status.StateInterrupted, app.ExitInterrupted, "") // an error here could not be shown to anybody
	} else if err != nil {
		_ = n.file.End(status.StateEnded, app.ExitCode(err), app.UserMessage(err))
	}
	_ = n.file.Close()
}

// openStatus opens the status file in a run's folder and removes those of dead processes. It returns nil, after a
// warning, if that fails.
func openStatus(a *app.App, dir string) *status.Writer {
	file, err := status.Open(dir)
	if err == nil {
		err = status.Clear(dir)
	}
	if err != nil {
		a.Warn(err)
	}
	return file
}

// withStatus calls do and writes how it goes and ends to the status file of the run's folder.
func (j Job) withStatus(ctx context.Context, do func(file *status.Writer) error) error {
	var file *status.Writer
	if j.announcement != nil {
		j.announcement.stop()
		file = j.announcement.file
	} else {
		file = openStatus(j.App, j.Dir)
	}
	if !j.hasQueuedJobs() {
		console := j.Console()
		defer context.AfterFunc(ctx, func() { console.Say(slog.LevelWarn, "interrupted", "writing what there is; again to end now") })()
	}
	err := do(file)
	state, code, why := status.StateEnded, app.ExitOK, ""
	ended := err
	if ended == nil {
		ended = j.checkComplete()
	}
	switch {
	case errors.Is(err, errDetached):
		state, err = status.StateDetached, nil
	case ctx.Err() != nil && j.hasQueuedJobs():
		state = status.StateDetached
	case ctx.Err() != nil:
		state, code = status.StateInterrupted, app.ExitInterrupted
	case ended != nil:
		code, why = app.ExitCode(ended), app.UserMessage(ended)
	}
	if file != nil {
		if err := file.End(state, code, why); err != nil {
			j.Warn(err)
		}
	}
	return err
}
