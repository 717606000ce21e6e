package results

import (
	"errors"
	"io/fs"
	"math"
	"sync"

	"tenfold/io/sealed"
)

// parts returns the lines of a long table unit by unit. The file is opened when a unit is first asked for; from then on parts keeps
// where each unit's lines are, and the row group read last, because readers go through units in the order in which they were
// written.
type parts[R any] struct {
	table   *sealed.Table      // nil if there is no such file
	columns []sealed.Column[R] // without those of the key, which the index holds

	mu     sync.Mutex
	spans  map[key][]span
	number int // of the row group
	group  *sealed.Group[R]
}

// span is a range of adjacent lines of one unit within a row group.
type span struct{ group, from, to int }

// openParts opens the table that belongs to results of the digest, which need not exist.
func openParts[R any](path, digest string, columns []sealed.Column[R]) (*parts[R], error) {
	t, err := sealed.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &parts[R]{}, nil
	}
	if err != nil {
		return &parts[R]{}, err
	}
	p := newParts(t, columns)
	return p, t.Protect(func() error {
		return errors.Join(checkSchema(t), checkDigest(t, digest), t.CheckColumns(sealed.Names(columns)))
	})
}

func newParts[R any](t *sealed.Table, columns []sealed.Column[R]) *parts[R] {
	known := len(keyColumns(func(*R) *key { return nil }))
	return &parts[R]{table: t, columns: columns[known:]}
}

// linesOf returns the lines of a unit in order, without its key.
func (p *parts[R]) linesOf(unit key) (out []R, err error) {
	err = p.eachBatch(unit, math.MaxInt, func(lines []R) { out = append(out, lines...) })
	return out, err
}

// eachBatch calls do with the lines of a unit in order, without its key, at most so many at a time. It holds the lock.
func (p *parts[R]) eachBatch(unit key, most int, do func(lines []R)) error {
	if p.table == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.Protect(func() error {
		if p.spans == nil {
			if err := p.indexUnits(); err != nil {
				return err
			}
		}
		for _, s := range p.spans[unit] {
			if err := p.loadGroup(s.group); err != nil {
				return err
			}
			for from := s.from; from < s.to; {
				to := from + min(most, s.to-from)
				lines, err := p.group.Decode(from, to)
				if err != nil {
					return err
				}
				do(lines)
				from = to
			}
		}
		return nil
	})
}

func (p *parts[R]) verify() error {
	if p.table == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.Protect(p.table.VerifyChecksum)
}

func (p *parts[R]) loadGroup(number int) error {
	if p.group != nil && p.number == number {
		return nil
	}
	p.group.Release()
	p.group = nil
	g, err := sealed.OpenGroup(p.table, number, p.columns)
	p.group, p.number = g, number
	return err
}

func (p *parts[R]) indexUnits() error {
	if err := p.table.VerifyChecksum(); err != nil {
		return err
	}
	spans := map[key][]span{}
	columns := keyColumns(func(k *key) *key { return k })
	for g := range p.table.RowGroups() {
		units, err := sealed.ReadRuns(p.table, g, columns)
		if err != nil {
			return err
		}
		from := 0
		for _, u := range units {
			spans[u.Row] = append(spans[u.Row], span{g, from, u.End})
			from = u.End
		}
	}
	p.spans = spans
	return nil
}
