package scratch

// Entries are those of a matrix by row, on disk: a sparse.Store.
type Entries struct {
	space    *Space
	idx, val *Spool // val nil while every value is one
	count    int
}

// Entries returns room for those of a matrix that is to be read.
func (s *Space) Entries() *Entries { return &Entries{space: s} }

// Append entries at the end; val nil means all ones.
func (e *Entries) Append(idx []int32, val []float64) error {
	if err := open(e.space, &e.idx); err != nil {
		return err
	}
	if val != nil && e.val == nil {
		if err := e.values(); err != nil {
			return err
		}
	}
	if _, err := e.idx.Write(raw(idx)); err != nil {
		return err
	}
	e.count += len(idx)
	if e.val == nil {
		return nil
	}
	if val == nil {
		return e.ones(len(idx))
	}
	_, err := e.val.Write(raw(val))
	return err
}

// values stores the ones that were not stored so far.
func (e *Entries) values() error {
	if err := open(e.space, &e.val); err != nil {
		return err
	}
	return e.ones(e.count)
}

func (e *Entries) ones(n int) error {
	block := make([]float64, min(n, 1<<13))
	for k := range block {
		block[k] = 1
	}
	for ; n > 0; n -= len(block) {
		if _, err := e.val.Write(raw(block[:min(n, len(block))])); err != nil {
			return err
		}
	}
	return nil
}

// Arrays returns the arrays of all entries; val is nil where every value is one. Nothing can be appended afterwards.
func (e *Entries) Arrays() (idx []int32, val []float64, err error) {
	if err := open(e.space, &e.idx); err != nil {
		return nil, nil, err
	}
	if idx, err = mapped[int32](e.idx, 4); err != nil || e.val == nil {
		return idx, nil, err
	}
	val, err = mapped[float64](e.val, 8)
	return idx, val, err
}

func open(s *Space, p **Spool) (err error) {
	if *p == nil {
		*p, err = s.Spool()
	}
	return err
}
