package gram

// keptColumn is a cached column and its neighbours by time of use.
type keptColumn struct {
	Column
	column       int
	older, newer *keptColumn
}

// keepDraft copies the draft to the cache, and evicts the least recently used columns until it fits. A column larger than the limit
// is not kept, and the draft itself is returned.
func (g *Matrix) keepDraft(j int) *Column {
	need := g.draft.byteSize()
	if need > g.limit {
		return &g.draft
	}
	for g.bytes+need > g.limit {
		g.evict(g.oldest)
	}
	c := &keptColumn{Column: g.draft, column: j}
	c.Short, c.Idx, c.Val = trimmedCopy(c.Short), trimmedCopy(c.Idx), trimmedCopy(c.Val)
	g.kept[j] = c
	g.bytes += need
	g.linkNewest(c)
	return &c.Column
}

// trimmedCopy returns a copy without spare capacity, nil if it is empty.
func trimmedCopy[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return append(make([]T, 0, len(s)), s...)
}

func (g *Matrix) evict(c *keptColumn) {
	g.unlink(c)
	g.bytes -= c.byteSize()
	g.kept[c.column] = nil
}

// linkNewest makes c the most recently used.
func (g *Matrix) linkNewest(c *keptColumn) {
	c.older, c.newer = g.newest, nil
	if g.newest != nil {
		g.newest.newer = c
	} else {
		g.oldest = c
	}
	g.newest = c
}

func (g *Matrix) unlink(c *keptColumn) {
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
