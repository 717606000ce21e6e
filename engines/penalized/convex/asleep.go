package convex

import (
	"math"
	"slices"
)

// Asleep holds columns whose gradients are known to be small, without recomputing them at every residual. With x·f for an earlier
// residual f, and the residual r = a·f + u where u is orthogonal to f,
//
//	|x·r| ≤ |a|·|x·f| + ‖x‖·‖u‖.
//
// Along a path of penalties the residual shrinks more than it turns, so that for dense columns about one gradient in ten has to be
// computed at a penalty; those gradients are exact, and the others cannot be above the threshold. (A sphere test, as in El Ghaoui,
// Viallon and Rabbani, "Safe feature elimination", 2012, except that it scales what is known at f.) The columns of a residual are
// in classes by norm and by size of the gradient, which wake together: a call takes no time for columns that stay asleep.
// O(residuals·(rows + classes)) and what wakes.
type Asleep struct {
	norm  []float64 // the largest norm, by class of norms
	class []int32   // class of norms, by column
	next  []int32   // the next column in the same class, by column; -1 at the end
	known []known   // the oldest first
	most  int       // maximum number of residuals kept
	now   []float64 // the present residual
	level float64   // about the largest gradient of columns put to sleep at the present residual
}

// known is a residual, and the columns whose gradients were computed at it.
type known struct {
	residual []float64
	square   float64
	width    float64 // of the classes of gradients; the last class has no upper end
	first    []int32 // first column, by class of norms and class of gradients; -1 for none
	largest  []int32 // the largest class of gradients with a column, by class of norms; -1 for none
}

const (
	gradientClasses = 64
	normClasses     = 8        // in a factor of 2
	residualBytes   = 16 << 20 // of the residuals kept
)

// NewAsleep returns an Asleep for columns of the given norms, none of which is asleep yet. Norms may be 0.
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

// AsleepBytes returns the maximum size of an Asleep in bytes, for norms within a few powers of two.
func AsleepBytes(rows, columns int) int64 {
	return 8*int64(columns) + min(256*8*int64(rows), residualBytes) + 256*4*gradientClasses*4*normClasses
}

// MoveTo sets the present residual to a copy of the one given. level, positive, is about the largest gradient of the columns that
// will be put to sleep there.
func (s *Asleep) MoveTo(residual []float64, level float64) {
	s.now, s.level = slices.Clone(residual), level
}

// Put puts a column to sleep, given its gradient at the present residual.
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

// isNow reports whether residual k is the present one.
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

// insert adds a column whose gradient is at most the given one.
func (s *Asleep) insert(k *known, j int32, gradient float64) {
	c, size := s.class[j], int32(gradientClasses-1)
	if share := gradient / k.width; share < gradientClasses-1 { // false for 0/0, in classes of width 0
		size = int32(share)
	}
	first := &k.first[c*gradientClasses+size]
	s.next[j], *first = *first, j
	k.largest[c] = max(k.largest[c], size)
}

// Wake removes the columns whose gradients at the present residual may reach the threshold, and appends them to dst, in no order
// except that the first come those whose gradients were computed at this very residual: those before index exact of woken.
func (s *Asleep) Wake(dst []int32, threshold float64) (woken []int32, exact int) {
	for k := len(s.known) - 1; k >= 0; k-- {
		known := &s.known[k]
		share, off := 1.0, 0.0
		if !s.isNow(k) {
			share, off = s.shareOf(known)
		}
		for c, norm := range s.norm {
			for known.largest[c] >= 0 && known.bound(known.largest[c], share, float64(norm*off)) >= threshold {
				head := &known.first[int32(c)*gradientClasses+known.largest[c]]
				for j := *head; j >= 0; j = s.next[j] {
					dst = append(dst, j)
				}
				*head = -1
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

// bound returns an upper bound of the gradients of a class, whose gradients at an earlier residual had this size.
func (k *known) bound(size int32, share, off float64) float64 {
	if size == gradientClasses-1 {
		return math.Inf(1)
	}
	return float64(float64(share*k.width*float64(size+1))*(1+1e-12)) + off
}

// shrink lowers largest to the largest class of gradients that has a column, in a class of norms.
func (k *known) shrink(class int32) {
	for k.largest[class] >= 0 && k.first[class*gradientClasses+k.largest[class]] < 0 {
		k.largest[class]--
	}
}

// shareOf returns |a| and ‖u‖ of the present residual relative to k's, the latter with a margin for rounding.
func (s *Asleep) shareOf(k *known) (share, off float64) {
	square, along := products(s.now, k.residual)
	if k.square == 0 {
		return 0, math.Sqrt(square)
	}
	rest := max(0, square-float64(along*along/k.square))
	return math.Abs(along) / k.square, math.Sqrt(rest + float64(1e-15*float64(len(s.now)+16)*square))
}

// products returns r·r and r·f.
func products(r, f []float64) (square, along float64) {
	f = f[:len(r)]
	for i, v := range r {
		square += float64(v * v)
		along += float64(v * f[i])
	}
	return square, along
}

// forgetOldest moves the columns of the oldest residual to the one after it, with bounds of their gradients there.
func (s *Asleep) forgetOldest() {
	old, to := &s.known[0], &s.known[1]
	now := s.now
	s.now = to.residual
	share, off := s.shareOf(old)
	s.now = now
	for class, j := range old.first {
		norm := s.norm[class/gradientClasses]
		for j >= 0 {
			next := s.next[j]
			s.insert(to, j, old.bound(int32(class%gradientClasses), share, float64(norm*off)))
			j = next
		}
	}
	s.known = slices.Delete(s.known, 0, 1)
}
