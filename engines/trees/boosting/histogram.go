package boosting

import "math"

// A row's first and second derivatives are whole numbers in one word: the second in the low bits, the first above. Sums of words are sums
// of both. They are exact, so that they do not depend on the order of the rows, and what a node has less what is on its left is on its
// right.
const (
	secondBits = 31
	secondMask = 1<<secondBits - 1
)

// scale are the powers of two by which derivatives are multiplied before they are rounded to whole numbers: so large that sums over all
// rows still fit. Roundings sum to some 2^-32 of the sum of absolute values.
type scale struct{ first, second float64 }

// newScale returns the scale for the sums of absolute first and of second derivatives of so many rows.
func newScale(first, second float64, rows int) scale {
	return scale{largestPower(1<<32-1-float64(rows), first), largestPower(1<<secondBits-1-float64(rows), second)}
}

// largestPower returns the largest power of two by which sum is at most room; 1 where it is 0.
func largestPower(room, sum float64) float64 {
	if sum <= 0 {
		return 1
	}
	const most = 500 // products of units and their quotients stay finite
	_, power := math.Frexp(room / sum)
	return math.Ldexp(1, max(-most, min(most, power-1)))
}

// word packs the derivatives of a row.
func (u scale) word(first, second float64) int64 {
	return int64(math.RoundToEven(first*u.first))<<secondBits + int64(math.RoundToEven(second*u.second))
}

// sums unpacks a word.
func sums(word int64) (first, second int64) { return word >> secondBits, word & secondMask }

// addUp adds up the words of some rows into the histogram of a block, which is cleared before.
func (b *block) addUp(to []int64, rows []int32, word []int64) {
	clear(to)
	if b.isDense() {
		addDense((*[denseWidth * mostBins]int64)(to), b.code, rows, word)
		return
	}
	for _, i := range rows {
		w := word[i]
		for _, bin := range b.entry[b.start[i]:b.start[i+1]] {
			to[bin] += w
		}
	}
}

// addDense adds the words of rows of dense columns: the loop that takes the time.
func addDense(to *[denseWidth * mostBins]int64, codes []uint8, rows []int32, word []int64) {
	for _, i := range rows {
		w := word[i]
		c := (*[denseWidth]uint8)(codes[int(i)*denseWidth:])
		to[0*mostBins+int(c[0])] += w
		to[1*mostBins+int(c[1])] += w
		to[2*mostBins+int(c[2])] += w
		to[3*mostBins+int(c[3])] += w
		to[4*mostBins+int(c[4])] += w
		to[5*mostBins+int(c[5])] += w
		to[6*mostBins+int(c[6])] += w
		to[7*mostBins+int(c[7])] += w
		to[8*mostBins+int(c[8])] += w
		to[9*mostBins+int(c[9])] += w
		to[10*mostBins+int(c[10])] += w
		to[11*mostBins+int(c[11])] += w
		to[12*mostBins+int(c[12])] += w
		to[13*mostBins+int(c[13])] += w
		to[14*mostBins+int(c[14])] += w
		to[15*mostBins+int(c[15])] += w
	}
}

// size returns the size of the histogram of a block.
func (b *block) size() int {
	if b.isDense() {
		return denseWidth * mostBins
	}
	return b.bins
}

// subtract subtracts what a histogram has of some of its rows.
func subtract(from, some []int64) {
	some = some[:len(from)]
	for k, w := range some {
		from[k] -= w
	}
}
