package synthetic

import (
	"math"
	"math/bits"
	"sort"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// random is a SplitMix64 generator: integer arithmetic only, so that a seed means the same everywhere and for ever.
type random uint64

func (r *random) uint64() uint64 {
	z := data.Mix(uint64(*r))
	*r += 0x9E3779B97F4A7C15
	return z
}

// oneIn returns true once in n draws.
func (r *random) oneIn(n uint64) bool { return mapBelow(r.uint64(), n) == 0 }

// mapBelow maps uniform bits to 0..n-1.
func mapBelow(uniform, n uint64) uint64 { high, _ := bits.Mul64(uniform, n); return high }

// hashNumbers hashes some numbers to uniform bits.
func hashNumbers(values ...uint64) uint64 {
	h := uint64(0)
	for _, v := range values {
		h = data.Mix(h ^ v)
	}
	return h
}

// hashToNormal maps a hash to nearly the standard normal distribution: the sum of twelve uniform numbers of 16 bits each,
// exact in units of 2^-16.
func hashToNormal(h uint64) float64 {
	const twelve, mean = 12, 6 * (1<<16 - 1)
	sum := int64(-mean)
	for k := range twelve {
		if k%4 == 0 {
			h = data.Mix(h)
		}
		sum += int64(h >> (16 * (k % 4)) & (1<<16 - 1))
	}
	return float64(sum) / (1 << 16)
}

// drawNormal draws a standard normal number by the quantile function, rounded to a multiple of 2^-24, so that the last bits
// of a machine's logarithms play no part.
func (r *random) drawNormal() float64 {
	const ones = 1 << 24
	return math.RoundToEven(float64(elementary.Normal(r.uint64())*ones)) / ones
}

// zipf is cumulative weights 1/(k+1) in units of 2^-32.
type zipf []uint64

func newZipf(n int) zipf {
	z := make(zipf, n)
	total := uint64(0)
	for k := range z {
		total += (1 << 32) / uint64(k+1)
		z[k] = total
	}
	return z
}

// quantile maps uniform bits to 0..n-1, small numbers most often.
func (z zipf) quantile(uniform uint64) uint64 {
	u := mapBelow(uniform, z[len(z)-1])
	return uint64(sort.Search(len(z), func(k int) bool { return z[k] > u }))
}
