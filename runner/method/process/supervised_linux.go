package process

import (
	"encoding/gob"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// supervisors holds supervisors that wait for programs. One takes 10 ms to start, so that each serves many programs, one after the
// other.
type supervisors struct {
	mu   sync.Mutex
	idle []*connection
}

// connection is a running supervisor as tenfold sees it.
type connection struct {
	command *exec.Cmd
	socket  *fileSender
	orders  *gob.Encoder
	reports *gob.Decoder
}

// start starts a program below a supervisor.
func (s *supervisors) start(p invocation) (tree, error) {
	for {
		c, used, err := s.take()
		if err != nil {
			return nil, fmt.Errorf("its supervisor cannot be started: %w", err)
		}
		begun, err := c.start(p)
		switch {
		case err == nil && begun.Failed == 0:
			return &supervised{connection: c, pool: s, leader: begun.Leader}, nil
		case err == nil:
			s.give(c)
			return nil, &fs.PathError{Op: "fork/exec", Path: p.Path, Err: begun.Failed}
		}
		c.close()
		if !used { // one that was used before may have ended since
			return nil, fmt.Errorf("its supervisor has ended: %w", err)
		}
	}
}

// take returns a supervisor, and whether it was used before.
func (s *supervisors) take() (c *connection, used bool, err error) {
	s.mu.Lock()
	if last := len(s.idle) - 1; last >= 0 {
		c, s.idle = s.idle[last], s.idle[:last]
	}
	s.mu.Unlock()
	if c != nil {
		return c, true, nil
	}
	c, err = newConnection()
	return c, false, err
}

func (s *supervisors) give(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, c)
}

// close ends the supervisors that wait.
func (s *supervisors) close() {
	s.mu.Lock()
	idle := s.idle
	s.idle = nil
	s.mu.Unlock()
	for _, c := range idle {
		c.close()
	}
}

// newConnection starts a supervisor.
func newConnection() (*connection, error) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "supervisor"), os.NewFile(uintptr(pair[1]), "tenfold")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, err
	}
	c := &connection{command: &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{"tenfold", supervisorWord}, // this very program, even if its file has been replaced
		Dir: "/", Env: []string{}, ExtraFiles: []*os.File{theirs}, SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}}
	c.socket = &fileSender{UnixConn: conn.(*net.UnixConn)}
	c.orders, c.reports = gob.NewEncoder(c.socket), gob.NewDecoder(c.socket)
	if err := c.command.Start(); err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// close ends the supervisor and everything below it.
func (c *connection) close() {
	c.socket.Close()
	_ = c.command.Wait() // how it ends does not matter
}

// start tells the supervisor to start a program.
func (c *connection) start(p invocation) (s started, err error) {
	c.socket.files = p.files[:]
	if err = c.orders.Encode(order{Start: &p}); err == nil {
		err = c.reports.Decode(&s)
	}
	return s, err
}

// supervised is a tree below a supervisor.
type supervised struct {
	*connection
	pool   *supervisors
	leader int
	gone   bool // the supervisor has ended before its program
}

func (t *supervised) wait() (e ended) {
	if err := t.reports.Decode(&e); err != nil {
		t.gone = true
		e.err = fmt.Errorf("its supervisor has ended: %w", err)
	}
	return e
}

func (t *supervised) release() {
	if t.gone {
		t.close()
	} else {
		t.pool.give(t.connection)
	}
}

func (t *supervised) signal(s syscall.Signal) {
	_ = t.orders.Encode(order{Signal: s}) // an error means that the supervisor has ended, and with it the program
}

func (t *supervised) seconds() float64 { return processorSeconds(t.leader) }

func (t *supervised) peak() int64 { return peakBytes(t.leader) }

// memory counts pages once that several processes share. The kernel takes time for that, in proportion to the memory, so it is asked
// only if the memory would be above the limit otherwise.
func (t *supervised) memory(limit int64) int64 {
	below := descendants(t.command.Process.Pid)
	total := func(bytes func(pid int) int64) (sum int64) {
		for _, p := range below {
			sum += bytes(p.number)
		}
		return sum
	}
	if resident := total(residentBytes); resident <= limit {
		return resident
	}
	return total(proportionalBytes)
}
