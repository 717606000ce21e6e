package svm

// kernelCache holds rows of the kernel matrix, least recently used first out.
type kernelCache struct {
	*points
	room  []float64 // kept rows, one after the other
	slots int       // how many there is room for
	slot  []int32   // by point: where its row is, or none
	point []int32   // by slot in use: whose row it is
	// next and last link the slots in use into a ring by time of use, entry slots being its head: next leads from the one used
	// last to older ones.
	next, last []int32
}

const none = -1

// newGram keeps as many rows as there is room for, two at least: of two that are asked for in turn, both can be used.
func newGram(p *points, room []float64) *kernelCache {
	n := len(p.offset)
	g := &kernelCache{points: p, room: room, slot: make([]int32, n)}
	g.slots = min(n, len(room)/n)
	for i := range g.slot {
		g.slot[i] = none
	}
	g.next, g.last = make([]int32, g.slots+1), make([]int32, g.slots+1)
	g.next[g.slots], g.last[g.slots] = int32(g.slots), int32(g.slots)
	return g
}

// isFull reports whether a row was evicted.
func (g *kernelCache) isFull() bool { return len(g.point) == g.slots && g.slots < len(g.offset) }

// rowOf returns the kernel of point i with every point; valid until two other rows have been asked for.
func (g *kernelCache) rowOf(i int) []float64 {
	s := g.slot[i]
	if s != none {
		g.unlinkSlot(s)
		g.linkSlot(s)
		return g.slotRow(s)
	}
	if len(g.point) < g.slots {
		s = int32(len(g.point))
		g.point = append(g.point, int32(i))
	} else {
		s = g.last[g.slots]
		g.unlinkSlot(s)
		g.slot[g.point[s]] = none
		g.point[s] = int32(i)
	}
	g.slot[i] = s
	g.linkSlot(s)
	g.kernelRow(g.slotRow(s), g.x.Row(i), g.offset[i])
	return g.slotRow(s)
}

func (g *kernelCache) slotRow(s int32) []float64 {
	n := len(g.offset)
	return g.room[int(s)*n : int(s)*n+n]
}

func (g *kernelCache) unlinkSlot(s int32) {
	g.next[g.last[s]], g.last[g.next[s]] = g.next[s], g.last[s]
}

// linkSlot makes a slot the most recently used.
func (g *kernelCache) linkSlot(s int32) {
	head := int32(g.slots)
	g.next[s], g.last[s] = g.next[head], head
	g.last[g.next[head]], g.next[head] = s, s
}
