package convex

import (
	"math"
	"slices"
)

// Asleep is columns whose gradients are known to be small, without computing them again at every residual. With x·f for an earlier
// residual f, and the residual r = a·f + u where u is orthogonal to f,
//
//	|x·r| ≤ |a|·|x·f| + ‖x‖·‖u‖.
//
// Along a path of penalties the residual shrinks more than it turns, so that of dense columns one in ten has to be looked at for a
// penalty; those looked at are exact, and the others cannot be above the threshold. (A sphere test, as in El Ghaoui, Viallon and
// Rabbani, "Safe feature elimination", 2012, but for a share of what is known at f.) Columns of a residual lie in classes by norm
// and by size of the gradient, which wake together: a call takes no time for those that sleep on. O(residuals·(rows + classes))
// and what wakes.
type Asleep struct {
	norm  []float64 // by class of norms, the largest
	class []int32   // of norms, by column
	next  []int32   // the next column in the same class, by column; -1 ends
	known []known   // the oldest first
	most  int       // residuals that are kept
	now   []float64 // present residual
	level float64   // about the largest gradient of what falls asleep there
}

// known is a residual, and the columns whose gradients were computed there.
type known struct {
	residual []float64
	square   float64
	width    float64 // of the classes of gradients; the last has no upper end
	first    []int32 // column, by class of norms and class of gradients; -1 for none
	largest  []int32 // class of gradients with a column, by class of norms; -1 for none
}

const (
	gradientClasses = 64
	normClasses     = 8        // a factor of 2
	residualBytes   = 16 << 20 // of those that are kept
)

// NewAsleep for columns of the given norms, none of which sleeps yet. Norms may be 0.
func NewAsleep(norms []float64, rows int) *Asleep {
	s := &Asleep{class: make([]int32, len(norms)), next: make([]int32, len(norms)), most: max(2, min(256, residualBytes/(8*rows+1)))}
	place := map[float64]int32{}
	for j, n := range norms {
		bound := n
		if n > 0 {
			frac, exp := math.Frexp(n)
			bound = math.Ldexp(math.Ceil(frac*2*normClasses)/(2*normClasses), exp)
		}
		c, ok := place[bound]
		if !ok {
			c = int32(len(s.norm))
			place[bound] = c
			s.norm = append(s.norm, 0)
		}
		s.class[j] = c
		s.norm[c] = max(s.norm[c], n)
	}
	return s
}

// AsleepBytes is the most that columns asleep take, of norms within a few powers of two.
func AsleepBytes(rows, columns int) int64 {
	return 8*int64(columns) + min(256*8*int64(rows), residualBytes) + 256*4*gradientClasses*4*normClasses
}

// MoveTo another residual, which is copied. level, positive, is about the largest gradient of the columns that fall asleep there.
func (s *Asleep) MoveTo(residual []float64, level float64) {
	s.now, s.level = slices.Clone(residual), level
}

// Put a column to sleep, whose gradient at the present residual is given.
func (s *Asleep) Put(j int32, gradient float64) {
	if n := len(s.known); n == 0 || !s.isNow(n-1) {
		if n == s.most {
			s.forgetOldest()
		}
		s.known = append(s.known, s.newKnown(s.now))
	}
	k := &s.known[len(s.known)-1]
	s.insert(k, j, math.Abs(gradient))
}

// isNow tells whether residual k is the present one.
func (s *Asleep) isNow(k int) bool { return &s.known[k].residual[0] == &s.now[0] }

func (s *Asleep) newKnown(residual []float64) known {
	k := known{residual: residual, width: s.level / (gradientClasses - 1), first: make([]int32, len(s.norm)*gradientClasses), largest: make([]int32, len(s.norm))}
	for i := range k.first {
		k.first[i] = -1
	}
	for c := range k.largest {
		k.largest[c] = -1
	}
	k.square, _ = products(residual, residual)
	return k
}

// insert a column whose gradient is at most so large.
func (s *Asleep) insert(k *known, j int32, gradient float64) {
	c, size := s.class[j], int32(gradientClasses-1)
	if share := gradient / k.width; share < gradientClasses-1 { // not of 0 in classes of no width
		size = int32(share)
	}
	first := &k.first[c*gradientClasses+size]
	s.next[j], *first = *first, j
	k.largest[c] = max(k.largest[c], size)
}

// Wake the columns whose gradients at the present residual may reach the threshold: appended to dst, in no order, those first
// whose gradients were computed there, so many.
func (s *Asleep) Wake(dst []int32, threshold float64) (woken []int32, exact int) {
	for k := len(s.known) - 1; k >= 0; k-- {
		known := &s.known[k]
		share, off := 1.0, 0.0
		if !s.isNow(k) {
			share, off = s.shareOf(known)
		}
		for c, norm := range s.norm {
			for known.largest[c] >= 0 && known.bound(known.largest[c], share, float64(norm*off)) >= threshold {
				at := &known.first[int32(c)*gradientClasses+known.largest[c]]
				for j := *at; j >= 0; j = s.next[j] {
					dst = append(dst, j)
				}
				*at = -1
				known.shrink(int32(c))
			}
		}
		if s.isNow(k) {
			exact = len(dst)
		}
	}
	s.known = slices.DeleteFunc(s.known, func(k known) bool { return slices.Max(k.largest) < 0 })
	return dst, exact
}

// bound of gradients, of which a class had a size at an earlier residual.
func (k *known) bound(size int32, share, off float64) float64 {
	if size == gradientClasses-1 {
		return math.Inf(1)
	}
	return float64(float64(share*k.width*float64(size+1))*(1+1e-12)) + off
}

// shrink finds the largest class of gradients, of a class of norms, that has a column.
func (k *known) shrink(class int32) {
	for k.largest[class] >= 0 && k.first[class*gradientClasses+k.largest[class]] < 0 {
		k.largest[class]--
	}
}

// shareOf is |a| and ‖u‖ of the present residual, the latter with room for rounding.
func (s *Asleep) shareOf(k *known) (share, off float64) {
	square, along := products(s.now, k.residual)
	if k.square == 0 {
		return 0, math.Sqrt(square)
	}
	rest := max(0, square-float64(along*along/k.square))
	return math.Abs(along) / k.square, math.Sqrt(rest + float64(1e-15*float64(len(s.now)+16)*square))
}

// products are r·r and r·f.
func products(r, f []float64) (square, along float64) {
	f = f[:len(r)]
	for i, v := range r {
		square += float64(v * v)
		along += float64(v * f[i])
	}
	return square, along
}

// forgetOldest leaves its columns to the residual after it, with what bounds their gradients there.
func (s *Asleep) forgetOldest() {
	old, to := &s.known[0], &s.known[1]
	now := s.now
	s.now = to.residual
	share, off := s.shareOf(old)
	s.now = now
	for at, j := range old.first {
		norm := s.norm[at/gradientClasses]
		for j >= 0 {
			next := s.next[j]
			s.insert(to, j, old.bound(int32(at%gradientClasses), share, float64(norm*off)))
			j = next
		}
	}
	s.known = slices.Delete(s.known, 0, 1)
}
