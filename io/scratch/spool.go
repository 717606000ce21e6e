package scratch

import (
	"bufio"
	"os"
)

// Spool is a file that grows at its end, in memory of a fixed size, and is then mapped. One goroutine at a time.
type Spool struct {
	space *Space
	file  *os.File
	out   *bufio.Writer
	size  int64
}

// Spool returns one that belongs to the space.
func (s *Space) Spool() (*Spool, error) {
	f, err := temporary(s.dir)
	if err != nil {
		return nil, err
	}
	p := &Spool{space: s, file: f, out: bufio.NewWriterSize(f, 1<<16)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spools = append(s.spools, p)
	return p, nil
}

// Write writes at the end.
func (p *Spool) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.size += int64(n)
	return n, err
}

// Len returns the number of bytes written.
func (p *Spool) Len() int64 { return p.size }

// Map returns all that was written, as memory that lasts as long as the space; nothing can be written afterwards.
func (p *Spool) Map() ([]byte, error) {
	defer p.file.Close()
	if err := p.out.Flush(); err != nil {
		return nil, err
	}
	if p.size == 0 {
		return []byte{}, nil
	}
	b, err := mapWritable(p.file, int(p.size))
	if err != nil {
		return nil, err
	}
	p.space.mu.Lock()
	defer p.space.mu.Unlock()
	p.space.lent = append(p.space.lent, b)
	return b, nil
}

// mapped returns the numbers that a spool holds.
func mapped[T number](p *Spool, size int) ([]T, error) {
	b, err := p.Map()
	if err != nil || len(b) == 0 {
		return []T{}, err
	}
	return view[T](b, len(b)/size), nil
}
