// Package process runs the programs of methods: it starts them in their exchange folders, in containers and sandboxes, passes lines to
// them and answers from them, watches their memory, time and the files that they open, and ends them with all that they have started,
// also those that a killed tenfold left. It does not know what lines and files mean. Programs.Start is the place to begin; the trees
// of processes that are started are in tree.go, and supervisor_linux.go keeps them together.
package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/sanitize"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
)

// exchangeVariable is the environment variable with the path of the exchange folder.
const exchangeVariable = "TENFOLD_EXCHANGE"

// Answer is a line with which a method answers: fitted or predicted, followed by an optional text, in place of fitted.json.
type Answer struct {
	word string
	rest []byte // nil if nothing follows
}

// Rest returns what follows the word; nil if nothing does, or if there was no answer.
func (a *Answer) Rest() []byte {
	if a == nil {
		return nil
	}
	return a.rest
}

// Process is a running method, with all processes that it starts.
type Process struct {
	declaration *declaration.Declaration
	Folder      *exchange.Folder // of its first fit
	tree        tree
	stdin       *os.File
	answers     chan Answer // closed at the end of standard output
	most        int64       // maximum bytes of an answer in a line
	ownsFolder  atomic.Bool // its folder is removed with it
	counted     float64     // seconds of processor time already counted
	stderr      *tailWriter
	ended       chan struct{} // closed when nothing of it runs
	err         error         // how it ended, nil if well
	using       sync.Mutex    // of tree, until over
	over        bool
	total       float64 // seconds of processor time, once it is over
	grace       time.Duration
	closing     sync.Once
	watcher     Watcher // may be nil
	ending      ending
	opening     *opening // may be nil
}

// invocationOf returns the invocation of a command, with the arguments that run it in the method's container.
func invocationOf(d *declaration.Declaration, command []string, folder string, workers int) (p invocation, err error) {
	words, err := contained(d, command, folder, workers)
	if err != nil {
		return p, err
	}
	name := words[0]
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		name = filepath.Join(d.Folder, name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		var failed *exec.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		if strings.Contains(words[0], "/") {
			return p, fmt.Errorf("method %s: program %q was looked for relative to %s: %w", d.Name, words[0], d.Folder, err)
		}
		return p, sanitize.Lines{fmt.Errorf("method %s: program %q was looked for in PATH: %w", d.Name, words[0], err), errors.New("PATH is " + os.Getenv("PATH"))}
	}
	path, err = filepath.Abs(path)
	return invocation{Path: path, Args: words, Dir: d.Folder}, err
}

// environment returns the environment of a method's processes: small, and the same on every machine.
func environment(d *declaration.Declaration, folder string, workers int) []string {
	threads := fmt.Sprint(max(1, workers))
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "LANG=C.UTF-8", "TMPDIR=" + filepath.Join(folder, "tmp"),
		"OMP_NUM_THREADS=" + threads, "OPENBLAS_NUM_THREADS=" + threads, "MKL_NUM_THREADS=" + threads, "NUMEXPR_NUM_THREADS=" + threads,
		"PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", exchangeVariable + "=" + folder, "TENFOLD_PROTOCOL=" + fmt.Sprint(declaration.Protocol),
	}
	for _, name := range d.Env {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// processEnvironment returns the environment of the process that tenfold starts: for a container that of its runtime, which needs the
// user's settings. home replaces the user's home folder if it is not empty.
func processEnvironment(d *declaration.Declaration, folder, home string, workers int) []string {
	if d.Container.Image != "" {
		return os.Environ()
	}
	env := environment(d, folder, workers)
	if home != "" {
		env = append(env, "HOME="+home)
	}
	return lastValues(env)
}

// lastValues returns an environment in which each variable is once, with the last of its values.
func lastValues(env []string) (out []string) {
	seen := map[string]bool{}
	for _, v := range slices.Backward(env) {
		if name, _, _ := strings.Cut(v, "="); !seen[name] {
			seen[name] = true
			out = append(out, v)
		}
	}
	slices.Reverse(out)
	return out
}

// Start runs the method's command with some arguments, in an exchange folder. most limits the bytes of an answer in a line.
func (s *Programs) Start(d *declaration.Declaration, x *exchange.Folder, workers int, most int64, arguments ...string) (*Process, error) {
	folder := x.Path
	run, err := invocationOf(d, slices.Concat(d.Command, arguments), folder, workers)
	if err != nil {
		return nil, err
	}
	path := run.Path
	run = sandboxed(d, run, folder, s.hidden())
	if err := x.MkdirAll("tmp"); err != nil {
		return nil, fmt.Errorf("method %s: %w", d.Name, err)
	}
	if in := containerOf(d, folder); in.name != "" {
		if err := x.Write(runtimeFile, exchange.FileMode, func(w io.Writer) error { _, err := io.WriteString(w, in.runtime); return err }); err != nil {
			return nil, fmt.Errorf("method %s: %w", d.Name, err)
		}
	}
	p := &Process{declaration: d, Folder: x, most: most, answers: make(chan Answer, 4), stderr: newTailWriter(s.Log, filepath.Base(folder)), ended: make(chan struct{}), grace: s.grace()}
	p.watcher, p.ending.Folder = s.Watcher, folder
	if p.watcher != nil {
		p.watcher.Starts(folder)
	}
	ours, theirs, err := newPipes()
	if err != nil {
		return nil, err
	}
	p.stdin = ours[0]
	run.Env, run.Patience, run.files = processEnvironment(d, folder, s.Home, workers), s.patience(), theirs
	p.opening = s.undeclared.begin(d)
	p.tree, err = startTree(d, &s.supervisors, folder, run)
	theirs.close()
	if err != nil {
		p.opening.end()
		ours.close()
		return nil, fmt.Errorf("method %s: %s cannot be started: %w", d.Name, path, err)
	}
	var reading sync.WaitGroup
	reading.Go(func() { p.readAnswers(ours[1]) })
	reading.Go(func() { io.Copy(p.stderr, ours[2]) })
	go func() {
		end := p.tree.wait()
		p.use(func() { p.over, p.total = true, end.Seconds })
		p.tree.release()
		p.opening.end()
		if end.err != nil {
			endLeftBehind(folder)
		}
		if !end.succeeded() {
			containerOf(d, folder).end()
			p.err = end
		}
		s.noteLeft(d, end.Left)
		p.tellEnd(end.Left)
		closing := time.AfterFunc(time.Second, ours.close) // in case processes that are not seen hold the output open
		reading.Wait()
		closing.Stop()
		ours.close()
		p.err = errors.Join(p.err, p.stderr.Close())
		if p.ownsFolder.Load() {
			x.Close()
			os.RemoveAll(folder)
		}
		close(p.ended)
	}()
	return p, nil
}

// CloseInput tells the process that no more lines come.
func (p *Process) CloseInput() { p.stdin.Close() }

// TakeFolder makes the process remove its folder when it has ended.
func (p *Process) TakeFolder() { p.ownsFolder.Store(true) }

// ReportOpened reports the undeclared files that the process has opened so far, with their digests.
func (p *Process) ReportOpened(report func(data.Fact)) { p.opening.report(report) }

// use calls a function with the tree, unless that is no longer in use.
func (p *Process) use(do func()) {
	p.using.Lock()
	defer p.using.Unlock()
	if !p.over {
		do()
	}
}

// Memory returns the bytes that the processes of the method hold together, 0 if they are unknown. It is exact above the limit.
func (p *Process) Memory(limit int64) (held int64) {
	p.use(func() { held = p.tree.memory(limit) })
	return held
}

// signal sends a signal to all processes of the method.
func (p *Process) signal(s syscall.Signal) { p.use(func() { p.tree.signal(s) }) }

// pipes holds the ends of pipes for standard input, output and error.
type pipes [3]*os.File

func (e pipes) close() {
	for _, f := range e {
		if f != nil {
			f.Close()
		}
	}
}

// newPipes returns the ends of tenfold and those of a program.
func newPipes() (ours, theirs pipes, err error) {
	for k := range ours {
		var reader, writer *os.File
		if reader, writer, err = os.Pipe(); err != nil {
			ours.close()
			theirs.close()
			return ours, theirs, err
		}
		if ours[k], theirs[k] = reader, writer; k == 0 {
			ours[k], theirs[k] = writer, reader
		}
	}
	return ours, theirs, nil
}

// readAnswers passes on lines that are answers; everything else a method prints goes to its log of standard error.
func (p *Process) readAnswers(stdout io.Reader) {
	defer close(p.answers)
	lines := bufio.NewReader(stdout)
	for begins := true; ; { // a line; a long one comes in pieces
		line, err := lines.ReadSlice('\n')
		more := errors.Is(err, bufio.ErrBufferFull)
		word, _, follows := bytes.Cut(bytes.TrimSpace(line), []byte(" {"))
		switch text := string(word); {
		case begins && follows && text == exchange.FittedLine:
			var rest []byte
			rest, err = p.restOf(line, err, lines)
			more = false
			p.notePeak()
			p.answers <- Answer{text, rest}
		case begins && !more && !follows && (text == exchange.FittedLine || text == exchange.PredictedLine):
			p.notePeak()
			p.answers <- Answer{word: text}
		default:
			p.stderr.Write(line)
		}
		if begins = !more; err != nil && !more {
			return
		}
	}
}

// restOf returns the rest of a line with an answer, from its brace on: all of it, or one byte more than an answer may have.
func (p *Process) restOf(line []byte, err error, lines *bufio.Reader) ([]byte, error) {
	rest := bytes.Clone(line[bytes.IndexByte(line, '{'):])
	for errors.Is(err, bufio.ErrBufferFull) {
		if line, err = lines.ReadSlice('\n'); int64(len(rest)) <= p.most {
			rest = append(rest, line...)
		}
	}
	return rest[:min(int64(len(rest)), p.most+1)], err
}

// Ask sends a line and waits for its answer. It returns nil if the method ended before it answered, with the error, if any, of its
// end.
func (p *Process) Ask(ctx context.Context, line, word string, watch func() error) (*Answer, error) {
	if line != "" {
		stop := context.AfterFunc(ctx, p.terminate) // closes the pipe, which a method that does not read lets fill up
		_, err := io.WriteString(p.stdin, line+"\n")
		if stop(); ctx.Err() != nil {
			p.terminate()
			return nil, context.Cause(ctx)
		}
		if err != nil && !errors.Is(err, os.ErrClosed) && !errors.Is(err, syscall.EPIPE) {
			p.kill()
			return nil, err
		}
	}
	return p.await(ctx, word, watch)
}

// sampling is the interval between measurements of memory.
const sampling = 50 * time.Millisecond

// await waits for an answer. watch is called from time to time; its error ends the process.
func (p *Process) await(ctx context.Context, word string, watch func() error) (*Answer, error) {
	tick := time.NewTicker(sampling)
	defer tick.Stop()
	for {
		select {
		case got, open := <-p.answers:
			if !open {
				select {
				case <-p.ended:
				case <-ctx.Done():
					p.terminate()
					return nil, context.Cause(ctx)
				}
				return nil, p.failure()
			}
			if got.word != word {
				p.terminate()
				return nil, p.Explain(fmt.Errorf("it printed %q on standard output, expected %q", got.word, word))
			}
			return &got, nil
		case <-tick.C:
			p.notePeak()
			if err := watch(); err != nil {
				p.kill()
				return nil, p.Explain(err)
			}
		case <-ctx.Done():
			p.terminate()
			return nil, context.Cause(ctx)
		}
	}
}

// failure returns the error of the ended process, nil if it ended well.
func (p *Process) failure() error {
	if p.err == nil {
		return nil
	}
	var end ended
	if !errors.As(p.err, &end) {
		return p.Explain(p.err)
	}
	err := p.Explain(end)
	if end.fromOutside() && !errors.As(err, new(engines.Disturbance)) {
		return engines.Disturbance{Err: err}
	}
	return err
}

// LastWords separates the line that names an error from all of the last that a program wrote.
const LastWords = "\nthe last that it wrote:\n"

// Explain adds to an error the last lines that the method wrote to standard error.
func (p *Process) Explain(err error) error {
	text := p.stderr.Tail()
	err = fmt.Errorf("method %s: %w", p.declaration.Name, withComplaint(err, text))
	for _, fault := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO} { // texts with LANG=C.UTF-8
		if strings.Contains(strings.ToLower(text), fault.Error()) {
			return engines.Disturbance{Err: err, System: true}
		}
	}
	return err
}

// withComplaint adds to an error the last lines that a program wrote: the line that names its error and, if there are more, all of
// them below it.
func withComplaint(err error, text string) error {
	lines := strings.Split(text, "\n")
	named := strings.TrimSpace(lines[len(lines)-1])                       // most languages name the error there
	for i := len(lines) - 2; i >= 0 && named == "Execution halted"; i-- { // R, which indents the continuation of an error
		if strings.HasPrefix(lines[i], "Error") {
			end := i + 1
			for strings.HasPrefix(lines[end], " ") {
				end++
			}
			named = strings.Join(strings.Fields(strings.Join(lines[i:end], " ")), " ")
		}
	}
	switch {
	case text == "":
		return err
	case len(lines) == 1:
		return fmt.Errorf("%w: %s", err, named)
	}
	last := sanitize.NewLines(append([]string{strings.Trim(LastWords, "\n")}, lines...)...)
	return append(sanitize.Lines{fmt.Errorf("%w: %s", err, named)}, last...)
}

// End closes the standard input of the process, which means that nothing more comes, and waits for it; if it does not end in time,
// it is terminated.
func (p *Process) End() {
	p.stdin.Close()
	select {
	case <-p.ended:
	case <-time.After(p.grace):
		p.ending.note(func(e *End) { e.Asked = true })
		p.terminate()
	}
}

// terminate asks all processes of the method to end, and after a while kills what is left of them.
func (p *Process) terminate() {
	p.closing.Do(func() {
		p.signal(syscall.SIGTERM)
		p.stdin.Close()
		go func() {
			for range p.answers { // so that its reader does not block
			}
		}()
		select {
		case <-p.ended:
		case <-time.After(p.grace):
			p.ending.note(func(e *End) { e.Killed = true })
			p.signal(syscall.SIGKILL)
			<-p.ended
		}
	})
}

func (p *Process) kill() {
	p.closing.Do(func() {
		p.signal(syscall.SIGKILL)
		p.stdin.Close()
		go func() {
			for range p.answers {
			}
		}()
		<-p.ended
	})
}

// SpentSince returns the processor time of the process since the last call, as far as it is known.
func (p *Process) SpentSince() float64 {
	before := p.counted
	p.using.Lock()
	defer p.using.Unlock()
	if p.over {
		p.counted = p.total
	} else if now := p.tree.seconds(); !math.IsNaN(now) {
		p.counted = now
	}
	return p.counted - before
}
