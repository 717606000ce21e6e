package sparse

// keptColumn is a column in memory and its neighbours by time of use.
type keptColumn struct {
	GramColumn
	column       int
	older, newer *keptColumn
}

// keep copies the draft and forgets the columns that were not used for longest until it fits. A column larger than the
// limit is not kept: then the draft itself is the answer.
func (g *Gram) keep(j int) *GramColumn {
	need := g.draft.bytes()
	if need > g.limit {
		return &g.draft
	}
	for g.bytes+need > g.limit {
		g.forget(g.oldest)
	}
	c := &keptColumn{GramColumn: g.draft, column: j}
	c.Short, c.Idx, c.Val = exact(c.Short), exact(c.Idx), exact(c.Val)
	g.kept[j] = c
	g.bytes += need
	g.link(c)
	return &c.GramColumn
}

// exact is a copy without spare room, nil for nothing.
func exact[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return append(make([]T, 0, len(s)), s...)
}

func (g *Gram) forget(c *keptColumn) {
	g.unlink(c)
	g.bytes -= c.bytes()
	g.kept[c.column] = nil
}

// link makes c the newest.
func (g *Gram) link(c *keptColumn) {
	c.older, c.newer = g.newest, nil
	if g.newest != nil {
		g.newest.newer = c
	} else {
		g.oldest = c
	}
	g.newest = c
}

func (g *Gram) unlink(c *keptColumn) {
	if c.older != nil {
		c.older.newer = c.newer
	} else {
		g.oldest = c.newer
	}
	if c.newer != nil {
		c.newer.older = c.older
	} else {
		g.newest = c.older
	}
}
