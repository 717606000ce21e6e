package forest

import "math/bits"

// search for the split of a node with the largest Q, the sum over both sides of Σ_k C_k²/C for levels with counts C_k, or of T²/C for
// numbers, T the sum of the responses less the node's mean (of times, of log-rank scores, whose sum is 0): it decreases the Gini impurity, or the squared error, most (Breiman,
// Friedman, Olshen and Stone 1984, sections 4.3 and 8.3). Of equal ones it is the one of the first column, then of the lowest threshold.
type search struct {
	y       *response
	row     []place
	minLeaf int64

	// The node.
	number  []float64 // of numbers, by row; of times, log-rank scores in the node
	weight  int64
	pure    bool
	count   []int64 // by level
	squares int64   // Σ_k C_k²
	mean    float64
	spread  float64 // Σ (y − mean)²
	sum     float64 // of y − mean: 0 but for rounding

	base    float64 // Q of the rows that have a value in the column that is looked at
	entered []int64 // by level: work space of leaveOut

	found bool
	node  split

	mortality float64 // of times
	order     []int32

	left, zeros []int64 // by level: on the left, and of the rows without an entry
}

// split sends rows with codes up to below left, of which above is the next in the node.
type split struct {
	column       int32
	below, above uint32
	q, base      float64
	left, right  side
}

// gain returns what Q is above that of the rows that have a value.
func (c *split) gain() float64 { return c.q - c.base }

// side of a split. Q of levels is a fraction of whole numbers, by which equal ones are told.
type side struct {
	weight  int64
	squares int64   // levels
	sum     float64 // numbers
}

func newSearch(y *response, row []place, minLeaf int64) search {
	number := y.number
	if y.survival != nil {
		number = make([]float64, len(row))
	}
	return search{y: y, number: number, row: row, minLeaf: minLeaf, count: make([]int64, y.levels), left: make([]int64, y.levels), zeros: make([]int64, y.levels), entered: make([]int64, y.levels)}
}

// begin begins at a node.
func (s *search) begin(rows []int32) {
	s.found, s.weight, s.pure = false, 0, true
	if s.y.levels > 0 {
		s.beginLevels(rows)
		return
	}
	if s.y.survival != nil {
		s.mortality, s.order = s.y.survival.score(s.number, rows, s.row, s.order)
	}
	total, first := 0.0, s.number[rows[0]]
	for _, i := range rows {
		c, y := s.row[i].count, s.number[i]
		s.weight += int64(c)
		total += float64(float64(c) * (y - first))
		s.pure = s.pure && y == first
	}
	s.mean, s.sum, s.spread, s.base = first+total/float64(s.weight), 0, 0, 0
	for _, i := range rows {
		c, e := float64(s.row[i].count), s.number[i]-s.mean
		s.sum += float64(c * e)
		s.spread += float64(c * float64(e*e))
	}
}

func (s *search) beginLevels(rows []int32) {
	clear(s.count)
	for _, i := range rows {
		s.count[s.row[i].level] += int64(s.row[i].count)
	}
	s.squares = 0
	for _, c := range s.count {
		s.weight += c
		s.squares += c * c
	}
	s.pure = s.squares == s.weight*s.weight
	s.base = float64(s.squares) / float64(s.weight)
}

// appendValue appends the value of the node: shares of the levels, the mean, or the mortality.
func (s *search) appendValue(to []float64) []float64 {
	switch {
	case s.y.survival != nil:
		return append(to, s.mortality)
	case s.y.levels == 0:
		return append(to, s.mean)
	}
	for _, c := range s.count {
		to = append(to, float64(c)/float64(s.weight))
	}
	return to
}

func (s *search) best() split { return s.node }

// look looks at column j: keys are its entries in the node, by code, and missing those without a value, which do not count; of a sparse
// column the other rows have the code zero.
func (s *search) look(j int32, keys, missing []uint64, zero uint32, sparse bool) {
	if len(missing) > 0 {
		defer s.leaveOut(missing)()
	}
	right := side{s.weight, s.squares, s.sum}
	state := moving{column: j, right: right}
	clear(s.left)
	if !sparse {
		s.move(&state, keys)
		return
	}
	if len(keys) == 0 {
		return
	}
	cut := 0
	for cut < len(keys) && uint32(keys[cut]>>32) < zero {
		cut++
	}
	rest := s.withoutEntry(keys)
	s.move(&state, keys[:cut])
	if rest.weight > 0 {
		s.moveZeros(&state, zero, rest)
	}
	s.move(&state, keys[cut:])
}

// moving is how far rows have gone from the right to the left, in the order of their codes.
type moving struct {
	column      int32
	last        uint32 // code
	left, right side
}

// move moves the rows of keys, one code after the other; each time that one is complete, what is left may be a split.
func (s *search) move(state *moving, keys []uint64) {
	switch s.y.levels {
	case 0:
		s.moveNumbers(state, keys)
		return
	case 2:
		s.moveTwo(state, keys)
		return
	}
	last, left, right := state.last, state.left, state.right
	for _, key := range keys {
		if code := uint32(key >> 32); code != last {
			if left.weight >= s.minLeaf && right.weight >= s.minLeaf {
				s.offerLevels(split{column: state.column, below: last, above: code, left: left, right: right})
			}
			last = code
		}
		r := s.row[uint32(key)]
		c, l := int64(r.count), s.left[r.level]
		left.weight += c
		right.weight -= c
		left.squares += c * (2*l + c)
		right.squares -= c * (2*(s.count[r.level]-l) - c)
		s.left[r.level] = l + c
	}
	state.last, state.left, state.right = last, left, right
}

// moveTwo moves as move does, where there are two levels, whose squares follow from the count of one. A split that is clearly no better than the best is
// passed over without the division that Q takes.
func (s *search) moveTwo(state *moving, keys []uint64) {
	const tolerance = 2e-12 // twice that of offerLevels, for rounding
	bar := s.bar()
	last, weight, ones := state.last, state.left.weight, s.left[1]
	sides := func() (left, right side) {
		zeros, otherOnes := weight-ones, s.count[1]-ones
		otherZeros := s.weight - weight - otherOnes
		return side{weight: weight, squares: ones*ones + zeros*zeros}, side{weight: s.weight - weight, squares: otherOnes*otherOnes + otherZeros*otherZeros}
	}
	for _, key := range keys {
		if code := uint32(key >> 32); code != last {
			if weight >= s.minLeaf && s.weight-weight >= s.minLeaf {
				left, right := sides()
				l, r := float64(left.weight), float64(right.weight)
				if q := float64(float64(left.squares)*r) + float64(float64(right.squares)*l); !s.found || q >= bar*(1-tolerance)*float64(l*r) {
					s.offerLevels(split{column: state.column, below: last, above: code, left: left, right: right})
					bar = s.bar()
				}
			}
			last = code
		}
		r := &s.row[uint32(key)]
		weight += int64(r.count)
		ones += int64(r.count) * int64(r.level)
	}
	state.last = last
	state.left, state.right = sides()
	s.left[0], s.left[1] = weight-ones, ones
}

func (s *search) moveNumbers(state *moving, keys []uint64) {
	last, left := state.last, state.left
	for _, key := range keys {
		if code := uint32(key >> 32); code != last {
			if left.weight >= s.minLeaf && s.weight-left.weight >= s.minLeaf {
				s.offerNumbers(split{column: state.column, below: last, above: code, left: left, right: s.rightOf(left)})
			}
			last = code
		}
		i := uint32(key)
		c := s.row[i].count
		left.weight += int64(c)
		left.sum += float64(float64(c) * (s.number[i] - s.mean))
	}
	state.last, state.left, state.right = last, left, s.rightOf(left)
}

// rightOf returns the right side of a left one, of numbers.
func (s *search) rightOf(left side) side {
	return side{weight: s.weight - left.weight, sum: s.sum - left.sum}
}

// withoutEntry returns the rows of the node that are not among the keys: their levels are in zeros.
func (s *search) withoutEntry(keys []uint64) side {
	rest := side{weight: s.weight, sum: s.sum}
	copy(s.zeros, s.count)
	for _, key := range keys {
		r := s.row[uint32(key)]
		rest.weight -= int64(r.count)
		if s.y.levels == 0 {
			rest.sum -= float64(float64(r.count) * (s.number[uint32(key)] - s.mean))
		} else {
			s.zeros[r.level] -= int64(r.count)
		}
	}
	return rest
}

// moveZeros moves the rows without an entry.
func (s *search) moveZeros(state *moving, zero uint32, rest side) {
	s.offer(state, zero)
	state.last = zero
	if s.y.levels == 0 {
		state.left.weight += rest.weight
		state.left.sum += rest.sum
		state.right = s.rightOf(state.left)
		return
	}
	for k, c := range s.zeros {
		l := s.left[k]
		state.left.squares += c * (2*l + c)
		state.right.squares -= c * (2*(s.count[k]-l) - c)
		s.left[k] = l + c
	}
	state.left.weight += rest.weight
	state.right.weight -= rest.weight
}

// offer offers the split between the last code and the next.
func (s *search) offer(state *moving, next uint32) {
	if state.left.weight < s.minLeaf || state.right.weight < s.minLeaf {
		return
	}
	if c := (split{column: state.column, below: state.last, above: next, left: state.left, right: state.right}); s.y.levels == 0 {
		s.offerNumbers(c)
	} else {
		s.offerLevels(c)
	}
}

// offerLevels takes a split if it is better than the best so far. Where floating point cannot tell, the fractions are compared.
func (s *search) offerLevels(c split) {
	l, r := float64(c.left.weight), float64(c.right.weight)
	c.q, c.base = (float64(float64(c.left.squares)*r)+float64(float64(c.right.squares)*l))/float64(l*r), s.base
	const tieTolerance = 1e-12
	switch bar := s.bar(); {
	case !s.found || c.q > bar*(1+tieTolerance):
	case c.q < bar*(1-tieTolerance):
		return
	default:
		ahead := 0
		if c.base == s.node.base {
			ahead = compare(c.fraction(), s.node.fraction())
		}
		if ahead < 0 || ahead == 0 && c.column >= s.node.column { // thresholds rise
			return
		}
	}
	s.found, s.node = true, c
}

// bar returns Q of a split of the present column that gains what the best does.
func (s *search) bar() float64 { return s.node.q + (s.base - s.node.base) }

// offerNumbers takes a split if it is better than the best so far, by more than rounding of sums in other orders.
func (s *search) offerNumbers(c split) {
	c.q, c.base = float64(c.left.sum*c.left.sum)/float64(c.left.weight)+float64(c.right.sum*c.right.sum)/float64(c.right.weight), s.base
	if s.found {
		tie := 1e-9 * s.spread
		if ahead := c.gain() - s.node.gain(); ahead < -tie || ahead <= tie && c.column >= s.node.column {
			return
		}
	}
	s.found, s.node = true, c
}

// fraction of whole numbers: the numerator has 128 bits.
type fraction struct{ high, low, denominator uint64 }

// fraction returns Q of a split of levels. For up to 2³¹ rows nothing overflows.
func (c split) fraction() fraction {
	h1, l1 := bits.Mul64(uint64(c.left.squares), uint64(c.right.weight))
	h2, l2 := bits.Mul64(uint64(c.right.squares), uint64(c.left.weight))
	low, carry := bits.Add64(l1, l2, 0)
	return fraction{h1 + h2 + carry, low, uint64(c.left.weight) * uint64(c.right.weight)}
}

// compare two fractions: -1, 0 or 1 as a is below, at or above b.
func compare(a, b fraction) int {
	x, y := a.times(b.denominator), b.times(a.denominator)
	for k := range x {
		if x[k] != y[k] {
			if x[k] < y[k] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// times returns the numerator multiplied, the highest word first.
func (a fraction) times(d uint64) [3]uint64 {
	h, low := bits.Mul64(a.low, d)
	top, mid := bits.Mul64(a.high, d)
	mid, carry := bits.Add64(mid, h, 0)
	return [3]uint64{top + carry, mid, low}
}
