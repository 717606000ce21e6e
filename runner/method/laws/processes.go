package laws

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tenfold/runner/method/process"
)

// lawsOfProcesses returns the laws about what a method does beside answering. Those on input, children and end judge the processes
// of all earlier laws.
func lawsOfProcesses() []law {
	return []law{
		{name: "writes", expects: "nothing is written but in the exchange folder", judge: judgeWrites, once: true},
		{name: "time", expects: "a process ends when its time is over, at SIGTERM", judge: judgeTime, once: true},
		{name: "memory", expects: "a sparse matrix takes no more memory than 8 times what it takes with its zeros", judge: judgeMemory, once: true},
		{name: "input", expects: "files that are handed over stay as they are: other fits have the same ones", judge: judgeInput, once: true},
		{name: "end", expects: "a process ends by itself at the end of standard input", judge: judgeEnd, once: true},
		{name: "children", expects: "no process that it has started goes on when it has ended", judge: judgeChildren, once: true},
	}
}

func judgeInput(t *trial) (Verdict, string) {
	t.host.Close()
	t.watch.mu.Lock()
	defer t.watch.mu.Unlock()
	if t.watch.changed != "" {
		return Fails, t.watch.changed + " is another afterwards"
	}
	return Passes, fmt.Sprintf("of %d processes none changed any", len(t.watch.ends))
}

// count returns the number of processes for which did is true, and of all.
func (t *trial) count(did func(process.End) bool) (n, all int) {
	t.host.Close() // ends those that wait
	t.watch.mu.Lock()
	defer t.watch.mu.Unlock()
	for _, e := range t.watch.ends {
		if did(e) {
			n++
		}
	}
	return n, len(t.watch.ends)
}

func judgeEnd(t *trial) (Verdict, string) {
	n, all := t.count(func(e process.End) bool { return e.Asked })
	if n > 0 {
		return Fails, fmt.Sprintf("%d of %d processes had to be asked by SIGTERM", n, all)
	}
	return Passes, fmt.Sprintf("%d processes did", all)
}

func judgeChildren(t *trial) (Verdict, string) {
	left := 0
	n, all := t.count(func(e process.End) bool { left += e.Left; return e.Left > 0 })
	if n > 0 {
		return Fails, fmt.Sprintf("%d of %d processes left others, %d in all, which were ended", n, all, left)
	}
	return Passes, fmt.Sprintf("of %d processes none left another", all)
}

// lateParts are divisors of the time of the first fit. For each, a fit is ended after that share of the time: while it works, and
// while it starts.
var lateParts = []time.Duration{1, 2, 4}

// judgeTime ends fits before they have answered.
func judgeTime(t *trial) (Verdict, string) {
	w := &watch{before: map[string]map[string]string{}}
	h := t.newHost("late", w)
	defer h.Close()
	over := errors.New("its time is over")
	ended := 0
	for _, part := range lateParts {
		ctx, cancel := context.WithCancelCause(t.ctx)
		begun := make(chan struct{})
		w.mu.Lock()
		w.begun = begun
		w.mu.Unlock()
		done := make(chan struct{})
		go func() {
			select {
			case <-begun:
				select {
				case <-time.After(t.took / part):
				case <-done:
				}
			case <-done:
			}
			cancel(over)
		}()
		s, err := t.rows.sample() // for which there is no process yet
		if err == nil {
			_, err = t.fit(s, way{host: h, ctx: ctx, seed: oneSeed})
		} else {
			t.system = err
		}
		close(done)
		if errors.Is(err, over) {
			ended++
		}
	}
	h.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.ContainsFunc(w.ends, func(e process.End) bool { return e.Killed }) {
		return Fails, "it went on after SIGTERM until it was killed"
	}
	return Passes, fmt.Sprintf("of %d fits %d were ended before their answer, none had to be killed", len(lateParts), ended)
}

// Sizes of the table for measuring memory: 12 MB with its zeros.
const (
	manyRows, manyColumns = 300, 5000
	manyTimes             = 8
)

func judgeMemory(t *trial) (Verdict, string) {
	usual := t.peak()
	if usual == 0 {
		return Skipped, "it is not known here, or of a process that does not say when it has answered"
	}
	if _, failed := t.fitTable(newTable(t.method, t.response, 5, manyRows, usualTests, manyColumns, 0.01, len(t.rows.levels)), way{}); failed != "" {
		return Fails, failed
	}
	const mib = 1 << 20
	large := t.peak()
	text := fmt.Sprintf("%d MiB for %d × %d, %d MiB for %d × %d, of which 1 %% is stored", usual/mib, usualRows, usualColumns, large/mib, manyRows, manyColumns)
	if large-usual > manyTimes*8*(manyRows+usualTests)*manyColumns {
		return Noted, text
	}
	return Passes, text
}

// peak returns the peak memory of all processes so far.
func (t *trial) peak() int64 {
	t.host.Close() // ends those that wait
	t.watch.mu.Lock()
	defer t.watch.mu.Unlock()
	most := int64(0)
	for _, e := range t.watch.ends {
		most = max(most, e.Peak)
	}
	return most
}

// mostFiles limits the files of a folder that are looked at.
const mostFiles = 50_000

// written returns the time and size of the files in a folder, down to a depth, except those in the folders without.
func written(folder string, depth int, without ...string) map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error { // unreadable files are skipped: the method cannot write them either
		inside, relErr := filepath.Rel(folder, path)
		switch {
		case err != nil || relErr != nil:
			return nil
		case e.IsDir() && slices.Contains(without, path):
			return fs.SkipDir
		case len(out) > mostFiles:
			return fs.SkipAll
		}
		if !e.IsDir() {
			if info, err := e.Info(); err == nil {
				out[path] = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
			}
		} else if strings.Count(inside, string(filepath.Separator))+1 >= depth && inside != "." {
			return fs.SkipDir
		}
		return nil
	})
	return out
}

// changes returns the files that differ between two states of a folder.
func changes(before, after map[string]string) map[string]bool {
	out := map[string]bool{}
	for path, when := range after {
		if before[path] != when {
			out[path] = true
		}
	}
	for path := range before {
		if _, there := after[path]; !there {
			out[path] = true
		}
	}
	return out
}

// deep is the depth down to which folders of methods are looked at.
const deep = 12

// judgeWrites looks for changed files in the folder of the declaration, in a HOME made for the method, and in the folder of
// temporary files. Others use the last one, too: there a file counts only if two fits change it and nothing changes it in between.
func judgeWrites(t *trial) (Verdict, string) {
	temp := t.options.Temp
	if temp == "" {
		temp = os.TempDir()
	}
	home := filepath.Join(t.scratch, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.system = err
		return Skipped, err.Error()
	}
	h := t.newHost("watched", t.watch)
	h.Home = home
	defer h.Close()
	lookTemp := func() map[string]string { return written(temp, 2, t.method.Folder, t.scratch) }
	inFolder, shared := written(t.method.Folder, deep), lookTemp()
	begin := time.Now()
	if _, failed := t.fitSample(t.plain, way{host: h}); failed != "" {
		return Noted, "with an empty HOME it fails: " + failed
	}
	took := time.Since(begin)
	first := lookTemp()
	time.Sleep(took)
	idle := lookTemp()
	if _, failed := t.fitSample(t.plain, way{host: h}); failed != "" {
		return Fails, failed
	}
	once, between, again := changes(shared, first), changes(first, idle), changes(idle, lookTemp())
	found := changes(inFolder, written(t.method.Folder, deep))
	for path := range changes(nil, written(home, deep)) {
		found[filepath.Join("$HOME", strings.TrimPrefix(path, home))] = true
	}
	for path := range once {
		if again[path] && !between[path] {
			found[path] = true
		}
	}
	if len(found) == 0 {
		return Passes, "in its folder, in HOME and below " + temp + " nothing changed"
	}
	var names []string
	for path := range found {
		names = append(names, path)
	}
	slices.Sort(names)
	return Fails, abridge(names)
}
