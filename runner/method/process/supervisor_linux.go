package process

import (
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Between tenfold and each method is a supervisor: tenfold once more, as a process that inherits the method's orphans
// (PR_SET_CHILD_SUBREAPER). So whatever a method starts stays below its supervisor, in any session, process group or environment,
// and when the supervisor has no child left, nothing of the method runs. It ends all of it when tenfold has ended, however that was.

// supervisorWord is the only argument of a supervisor. A test binary that does not know it ends at a flag that it does not know.
const supervisorWord = "--supervise-methods"

// supervisorSocket is the file number of a supervisor's connection to tenfold.
const supervisorSocket = 3

// order is what tenfold tells a supervisor: to start a program, of which three files follow, or to send a signal to all of its
// processes.
type order struct {
	Start  *invocation
	Signal syscall.Signal
}

// started is the answer to an order to start a program. How it ended follows later.
type started struct {
	Leader int // number of its process
	Failed syscall.Errno
}

// Supervise supervises if the arguments are those of a supervisor, else it returns false. It returns when tenfold has ended.
func Supervise(args []string) bool {
	if !slices.Equal(args[1:], []string{supervisorWord}) {
		return false
	}
	socket := os.NewFile(supervisorSocket, "tenfold")
	conn, err := net.FileConn(socket)
	connection, ok := conn.(*net.UnixConn)
	if err = errors.Join(err, socket.Close(), unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)); err != nil || !ok {
		fmt.Fprintf(os.Stderr, "tenfold: %s is for tenfold itself: %v\n", supervisorWord, err)
		return true
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM) // sent to all of a session: tenfold decides what ends
	runtime.LockOSThread()                                                  // Pdeathsig is sent when this thread ends
	s := &supervisor{orders: ordersFrom(connection), changed: make(chan os.Signal, 1)}
	signal.Notify(s.changed, syscall.SIGCHLD)
	s.serve(gob.NewEncoder(connection))
	return true
}

// received is an order with its files.
type received struct {
	order
	files []int
}

// ordersFrom returns a channel of orders, which is closed when tenfold has ended.
func ordersFrom(socket *net.UnixConn) <-chan received {
	out := make(chan received)
	go func() {
		defer close(out)
		in := &fileReceiver{UnixConn: socket}
		orders := gob.NewDecoder(in)
		for {
			var o received
			if orders.Decode(&o.order) != nil {
				return
			}
			if o.Start != nil {
				o.files, in.files = in.files, nil
			}
			out <- o
		}
	}()
	return out
}

// fileReceiver reads from a socket and collects the files that come with the bytes.
type fileReceiver struct {
	*net.UnixConn
	files []int
}

func (r *fileReceiver) Read(b []byte) (int, error) {
	rights := make([]byte, syscall.CmsgSpace(4*len(invocation{}.files)))
	n, size, _, _, err := r.ReadMsgUnix(b, rights)
	if err != nil {
		return n, err
	}
	messages, _ := syscall.ParseSocketControlMessage(rights[:size]) // tenfold sends valid ones
	for _, m := range messages {
		files, _ := syscall.ParseUnixRights(&m)
		r.files = append(r.files, files...)
	}
	return n, nil
}

// fileSender writes to a socket, with files beside the first bytes that follow.
type fileSender struct {
	*net.UnixConn
	files []*os.File
}

func (s *fileSender) Write(b []byte) (int, error) {
	var numbers []int
	for _, f := range s.files {
		numbers = append(numbers, int(f.Fd()))
	}
	s.files = nil
	n, _, err := s.WriteMsgUnix(b, syscall.UnixRights(numbers...), nil)
	return n, err
}

// supervisor is the state of a supervisor's own process, which runs one program at a time.
type supervisor struct {
	orders  <-chan received
	changed chan os.Signal // some child has ended
	leader  int            // the program's process; 0 if it has ended
	ended   ended
}

// Ending processes takes several rounds, because they may start others meanwhile, and may not succeed: some wait for a disk or a
// network that does not answer.
const (
	betweenRounds = 5 * time.Millisecond
	lastRound     = 5 * time.Second
)

// serve runs the programs that it is told to run, one after the other.
func (s *supervisor) serve(reports *gob.Encoder) {
	for o := range s.orders {
		if o.Start == nil {
			continue // a signal for a program that has just ended
		}
		var failed syscall.Errno
		err := s.start(*o.Start, o.files)
		if err != nil && !errors.As(err, &failed) {
			failed = syscall.EINVAL
		}
		if reports.Encode(started{s.leader, failed}) != nil || err != nil {
			continue
		}
		clean := s.attend(o.Start.Patience)
		if reports.Encode(s.ended) != nil || !clean {
			break
		}
	}
	s.endAll()
}

// start starts a program and closes its files.
func (s *supervisor) start(p invocation, files []int) error {
	attributes, err := ownGroup(p.Namespaces)
	if err != nil {
		return err
	}
	attributes.Pdeathsig = syscall.SIGKILL
	standard := make([]uintptr, len(files))
	for i, f := range files {
		standard[i] = uintptr(f)
	}
	s.ended = ended{}
	s.leader, err = syscall.ForkExec(p.Path, p.Args, &syscall.ProcAttr{Dir: p.Dir, Env: p.Env, Files: standard, Sys: attributes})
	for _, f := range files {
		syscall.Close(f)
	}
	return err
}

// attend waits until no process of the program runs. It ends those that go on for longer than patience after the program itself. It
// returns false if it could not.
func (s *supervisor) attend(patience time.Duration) (clean bool) {
	var over <-chan time.Time
	for !s.reap() {
		if s.leader == 0 && over == nil {
			over = time.After(patience)
		}
		select {
		case <-s.changed:
		case <-over:
			s.ended.Left = len(descendants(os.Getpid()))
			return s.endAll()
		case o, open := <-s.orders:
			if !open || o.Signal == syscall.SIGKILL {
				return s.endAll()
			}
			signalBelow(o.Signal)
		}
	}
	return true
}

// reap waits for all children that have ended, and reports whether there is no other.
func (s *supervisor) reap() (none bool) {
	for {
		var status syscall.WaitStatus
		var usage syscall.Rusage
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, &usage)
		switch {
		case err == syscall.EINTR:
			continue
		case pid <= 0:
			return err == syscall.ECHILD
		case pid == s.leader:
			s.leader, s.ended.Status = 0, status
		}
		s.ended.Seconds += time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
	}
}

// endAll ends all processes below this one. It returns false if some go on; the program itself is always waited for.
func (s *supervisor) endAll() bool {
	for begin := time.Now(); !s.reap(); time.Sleep(betweenRounds) {
		if s.leader == 0 && time.Since(begin) > lastRound {
			return false
		}
		signalBelow(syscall.SIGKILL)
	}
	return true
}

// signalBelow sends a signal to all processes below this one.
func signalBelow(number syscall.Signal) {
	for _, p := range descendants(os.Getpid()) {
		p.signal(number)
	}
}
