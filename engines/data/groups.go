package data

// Key is the hash of a group's text that Groups.Key holds: FNV-1a, 64 bit, over the values, each followed by a line feed.
func Key(values ...string) uint64 {
	const prime = 0x100000001b3
	h := uint64(0xcbf29ce484222325)
	for _, v := range values {
		for k := range len(v) {
			h = (h ^ uint64(v[k])) * prime
		}
		h = (h ^ '\n') * prime
	}
	return h
}

// Mix scrambles 64 bits: one step of SplitMix64 (Steele, Lea, Flood 2014) from state z.
func Mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Uniform is a number in [0, 1) that depends on a group's key and the seed alone, so that the side of a split on which a
// group falls depends neither on the order of the rows nor on the other groups: u < fraction is the test part.
func Uniform(key, seed uint64) float64 { return float64(Mix(key^seed)>>11) / (1 << 53) }
