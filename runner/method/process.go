package method

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"tenfold/engines"
)

// groupFile holds the number of a process group, the start time of its leader, and the runtime and name of a container, so that the
// next tenfold finds what a killed one left running.
const groupFile = "group"

// exchangeVariable is the environment variable with the path of the exchange folder.
const exchangeVariable = "TENFOLD_EXCHANGE"

// Lines by which a method that reads standard input says that it has answered.
const (
	fittedLine    = "fitted"
	predictedLine = "predicted"
)

// answered is a line with which a method answers: fitted or predicted, followed by an optional text, in place of fitted.json.
type answered struct {
	word string
	said []byte // nil if nothing follows
}

// process is a running method: the leader of a process group of its own.
type process struct {
	declaration *Declaration
	folder      *exchange // of its first fit, for group and log
	command     *exec.Cmd
	stdin       io.WriteCloser
	answers     chan answered // closed at the end of standard output
	most        int64         // maximum bytes of an answer in a line
	ownsFolder  atomic.Bool   // its folder is removed with it
	counted     float64       // seconds of processor time already counted
	stderr      *tailWriter
	ended       chan struct{} // closed when the leader has ended
	err         error         // how it ended
	grace       time.Duration
	closing     sync.Once
	watcher     Watcher // may be nil
	ending      ending
	opening     *opening // may be nil
}

// program returns the command with the arguments that containers and the like put before it, and the path of the program that it
// names.
func (d *Declaration) program(command []string, folder string, workers int) (string, []string, error) {
	words, err := d.contained(command, folder, workers)
	if err != nil {
		return "", nil, err
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
			return "", nil, fmt.Errorf("method %s: program %q was looked for relative to %s: %w", d.Name, words[0], d.Folder, err)
		}
		return "", nil, fmt.Errorf("method %s: program %q was looked for in PATH: %w\nPATH is %s", d.Name, words[0], err, os.Getenv("PATH"))
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", nil, err
	}
	return path, words, nil
}

// environment returns the environment of a method's processes: small, and the same on every machine.
func (d *Declaration) environment(folder string, workers int) []string {
	threads := fmt.Sprint(max(1, workers))
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "LANG=C.UTF-8", "TMPDIR=" + filepath.Join(folder, "tmp"),
		"OMP_NUM_THREADS=" + threads, "OPENBLAS_NUM_THREADS=" + threads, "MKL_NUM_THREADS=" + threads, "NUMEXPR_NUM_THREADS=" + threads,
		"PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", exchangeVariable + "=" + folder, "TENFOLD_PROTOCOL=" + fmt.Sprint(Protocol),
	}
	for _, name := range d.Env {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// environmentOf returns the environment of the process that tenfold starts: for a container that of its runtime, which needs the
// user's settings. home replaces the user's home folder if it is not empty.
func (d *Declaration) environmentOf(folder, home string, workers int) []string {
	if d.Container.Image != "" {
		return os.Environ()
	}
	env := d.environment(folder, workers)
	if home != "" {
		env = append(env, "HOME="+home) // the last value of a name counts
	}
	return env
}

// start runs the method's command with some arguments, in an exchange folder. most limits the bytes of an answer in a line.
func (h *Host) start(d *Declaration, x *exchange, workers int, most int64, arguments ...string) (*process, error) {
	folder := x.path
	path, words, err := d.program(d.Command, folder, workers)
	if err != nil {
		return nil, err
	}
	if err := x.MkdirAll("tmp"); err != nil {
		return nil, fmt.Errorf("method %s: %w", d.Name, err)
	}
	p := &process{declaration: d, folder: x, most: most, answers: make(chan answered, 4), stderr: newTailWriter(h.Log, filepath.Base(folder)), ended: make(chan struct{}), grace: h.grace()}
	p.watcher, p.ending.Folder = h.Watcher, folder
	if p.watcher != nil {
		p.watcher.Starts(folder)
	}
	p.command = &exec.Cmd{Path: path, Args: append(append([]string{words[0]}, words[1:]...), arguments...), Dir: d.Folder, Env: d.environmentOf(folder, h.Home, workers)}
	if err := ownGroup(p.command, d.Sandbox); err != nil {
		return nil, fmt.Errorf("method %s: sandbox: %w", d.Name, err)
	}
	output, err := p.connect()
	if err != nil {
		return nil, err
	}
	p.opening = h.undeclared.begin(d)
	err = p.command.Start()
	output.writers.close()
	if err != nil {
		p.opening.end()
		output.readers.close()
		return nil, fmt.Errorf("method %s: %s cannot be started: %w", d.Name, path, err)
	}
	in := d.containerOf(folder)
	group := fmt.Sprintf("%d %s %s %s\n", p.command.Process.Pid, startOf(p.command.Process.Pid), in.runtime, in.name)
	err = x.write(groupFile, fileMode, func(w io.Writer) error { _, err := io.WriteString(w, group); return err })
	var reading sync.WaitGroup
	reading.Go(func() { p.readAnswers(output.readers[0]) })
	reading.Go(func() { io.Copy(p.stderr, output.readers[1]) })
	go func() {
		p.err = p.command.Wait()
		p.tellEnd()
		endGroup(p.command.Process.Pid) // processes that outlive their leader
		p.opening.end()
		if p.err != nil {
			in.end()
		}
		closing := time.AfterFunc(time.Second, output.readers.close) // in case processes of other groups hold the output open
		reading.Wait()
		closing.Stop()
		output.readers.close()
		p.err = errors.Join(p.err, p.stderr.Close())
		if p.ownsFolder.Load() {
			x.Close()
			os.RemoveAll(folder)
		}
		close(p.ended)
	}()
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("method %s: %w", d.Name, err)
	}
	return p, nil
}

// ends holds the ends of the pipes of standard output and standard error.
type ends [2]*os.File

func (e ends) close() {
	for _, f := range e {
		if f != nil {
			f.Close()
		}
	}
}

// connect sets the standard input, output and error of a command that is to start. It does not use the pipes of exec, because these
// wait until every child has closed them before they report that the leader has ended.
func (p *process) connect() (output struct{ readers, writers ends }, err error) {
	for k, to := range []*io.Writer{&p.command.Stdout, &p.command.Stderr} {
		if output.readers[k], output.writers[k], err = os.Pipe(); err != nil {
			break
		}
		*to = output.writers[k]
	}
	if err == nil {
		p.stdin, err = p.command.StdinPipe()
	}
	if err != nil {
		output.readers.close()
		output.writers.close()
	}
	return output, err
}

// readAnswers passes on lines that are answers; everything else a method prints goes to its log of standard error.
func (p *process) readAnswers(stdout io.Reader) {
	defer close(p.answers)
	lines := bufio.NewReader(stdout)
	for begins := true; ; { // a line; a long one comes in pieces
		line, err := lines.ReadSlice('\n')
		more := errors.Is(err, bufio.ErrBufferFull)
		word, _, follows := bytes.Cut(bytes.TrimSpace(line), []byte(" {"))
		switch text := string(word); {
		case begins && follows && text == fittedLine:
			var said []byte
			said, err = p.restOf(line, err, lines)
			more = false
			p.notePeak()
			p.answers <- answered{text, said}
		case begins && !more && !follows && (text == fittedLine || text == predictedLine):
			p.notePeak()
			p.answers <- answered{word: text}
		default:
			p.stderr.Write(line)
		}
		if begins = !more; err != nil && !more {
			return
		}
	}
}

// restOf returns the rest of a line with an answer, from its brace on: all of it, or one byte more than an answer may have.
func (p *process) restOf(line []byte, err error, lines *bufio.Reader) ([]byte, error) {
	said := bytes.Clone(line[bytes.IndexByte(line, '{'):])
	for errors.Is(err, bufio.ErrBufferFull) {
		if line, err = lines.ReadSlice('\n'); int64(len(said)) <= p.most {
			said = append(said, line...)
		}
	}
	return said[:min(int64(len(said)), p.most+1)], err
}

// ask sends a line and waits for its answer. It returns nil if the method ended before it answered, with the error, if any, of its
// end.
func (p *process) ask(ctx context.Context, line, word string, watch func() error) (*answered, error) {
	if line != "" {
		stop := context.AfterFunc(ctx, p.terminate) // closes the pipe, which a method that does not read lets fill up
		_, err := io.WriteString(p.stdin, line+"\n")
		if stop(); ctx.Err() != nil {
			p.terminate()
			return nil, context.Cause(ctx)
		}
		if err != nil && !errors.Is(err, os.ErrClosed) && !isBrokenPipe(err) {
			p.kill()
			return nil, err
		}
	}
	return p.await(ctx, word, watch)
}

// sampling is the interval between measurements of a group's memory.
const sampling = 50 * time.Millisecond

// await waits for an answer. watch is called from time to time; its error ends the process.
func (p *process) await(ctx context.Context, word string, watch func() error) (*answered, error) {
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
				return nil, p.telling(fmt.Errorf("it printed %q on standard output, expected %q", got.word, word))
			}
			return &got, nil
		case <-tick.C:
			if err := watch(); err != nil {
				p.kill()
				return nil, p.telling(err)
			}
		case <-ctx.Done():
			p.terminate()
			return nil, context.Cause(ctx)
		}
	}
}

// failure returns the error of the ended process, nil if it ended well.
func (p *process) failure() error {
	if p.err == nil {
		return nil
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		err := p.telling(errors.New(endOf(exit)))
		if wasEnded(exit) {
			err = engines.Disturbance{Err: err}
		}
		return err
	}
	return p.telling(p.err)
}

// LastWords separates the line that names an error from all of the last that a program wrote.
const LastWords = "\nthe last that it wrote:\n"

// telling adds to an error the last lines that the method wrote to standard error.
func (p *process) telling(err error) error {
	text := p.stderr.Tail()
	err = fmt.Errorf("method %s: %w", p.declaration.Name, withComplaint(err, text))
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT} { // texts with LANG=C.UTF-8
		if strings.Contains(strings.ToLower(text), full.Error()) {
			return engines.Disturbance{Err: err}
		}
	}
	return err
}

// disturbed marks an error of the system as one that says nothing about the method.
func disturbed(err error) error {
	if errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError)) || errors.As(err, new(*os.SyscallError)) {
		return engines.Disturbance{Err: err}
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
	return fmt.Errorf("%w: %s%s%s", err, named, LastWords, text)
}

// end closes the standard input of the process, which means that nothing more comes, and waits for it; if it does not end in time,
// it is terminated.
func (p *process) end() {
	p.stdin.Close()
	select {
	case <-p.ended:
	case <-time.After(p.grace):
		p.ending.note(func(e *End) { e.Asked = true })
		p.terminate()
	}
}

// terminate asks the group to end, and after a while kills what is left of it.
func (p *process) terminate() {
	p.closing.Do(func() {
		terminateGroup(p.command.Process.Pid)
		p.stdin.Close()
		go func() {
			for range p.answers { // so that its reader does not block
			}
		}()
		select {
		case <-p.ended:
		case <-time.After(p.grace):
			p.ending.note(func(e *End) { e.Killed = true })
			endGroup(p.command.Process.Pid)
			<-p.ended
		}
	})
}

func (p *process) kill() {
	p.closing.Do(func() {
		endGroup(p.command.Process.Pid)
		p.stdin.Close()
		go func() {
			for range p.answers {
			}
		}()
		<-p.ended
	})
}

// spentSince returns the processor time of the process since the last call.
func (p *process) spentSince() float64 {
	before := p.counted
	p.counted = p.spent()
	return p.counted - before
}

// spent returns the processor time of the process so far, NaN if the system does not say.
func (p *process) spent() float64 {
	select {
	case <-p.ended:
		if s := p.command.ProcessState; s != nil {
			return (s.UserTime() + s.SystemTime()).Seconds()
		}
		return math.NaN()
	default:
		return leaderSeconds(p.command.Process.Pid)
	}
}
