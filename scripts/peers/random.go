package main

import (
	"math/bits"
	"sort"
)

// mix returns the step of splitmix64 from z.
func mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}

// hash gives numbers that look drawn, from their place: no draw depends on how many came before.
func hash(values ...uint64) uint64 {
	h := uint64(0x243F6A8885A308D3)
	for _, v := range values {
		h = mix(h ^ v)
	}
	return h
}

type stream struct{ state uint64 }

func (s *stream) next() uint64 {
	s.state += 0x9E3779B97F4A7C15
	return mix(s.state)
}

// below makes an integer in [0, n) of 64 random bits.
func below(u, n uint64) uint64 {
	high, _ := bits.Mul64(u, n)
	return high
}

// normal1024 returns 1024 times a standard normal, rounded: the sum of twelve uniforms of 20 bits.
func normal1024(h uint64) int64 {
	var sum int64
	for range 12 {
		h = mix(h)
		sum += int64(h >> 44)
	}
	return (sum - 6*(1<<20-1)) >> 10
}

// zipf draws k with the integer weight 2⁴⁴/(k+shift); it holds the running sums.
type zipf []uint64

func newZipf(n int, shift uint64) zipf {
	z := make(zipf, n)
	var total uint64
	for k := range z {
		total += 1 << 44 / (uint64(k) + shift)
		z[k] = total
	}
	return z
}

func (z zipf) rank(u uint64) uint64 {
	x := below(u, z[len(z)-1])
	return uint64(sort.Search(len(z), func(i int) bool { return z[i] > x }))
}
