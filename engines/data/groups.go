package data

import "slices"

// Documents is the name of groups whose rows belong to one text, and so share a topic.
const Documents = "document"

// Groups divides the rows into groups that stay on one side of a split.
type Groups struct {
	Name string
	Of   []int32 // group number of each row, from 0
	// Key holds a hash of each group's text (FNV-1a, 64 bit, each value followed by a line feed), so that a split by group depends
	// on the group and the seed alone.
	Key []uint64
}

func (g *Groups) onRows(rows []int32) *Groups {
	groupOf := ValuesAt(g.Of, rows)
	old, to := renumber(groupOf, int(slices.Max(g.Of))+1)
	for k := range groupOf {
		groupOf[k] = to[groupOf[k]]
	}
	return &Groups{Name: g.Name, Of: groupOf, Key: ValuesAt(g.Key, old)}
}

// GroupBy puts rows with equal texts into one group. Groups are numbered in order of first appearance, but their side of a split
// depends on their keys alone, and so on their texts.
func GroupBy(name string, values []string) *Groups {
	g := &Groups{Name: name, Of: make([]int32, len(values))}
	number := make(map[string]int32)
	for i, v := range values {
		k, ok := number[v]
		if !ok {
			k = int32(len(g.Key))
			number[v] = k
			g.Key = append(g.Key, Key(v))
		}
		g.Of[i] = k
	}
	return g
}

// Key returns the hash in Groups.Key of a group's text: FNV-1a, 64 bit, over the values, each followed by a line feed.
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

// Uniform returns a number u in [0, 1) that depends on a group's key and the seed alone. The group is in the test part if u < fraction,
// whatever the order of the rows and the other groups.
func Uniform(key, seed uint64) float64 { return float64(Mix(key^seed)>>11) / (1 << 53) }

// UniformStream returns a generator of uniform numbers in [0, 1).
func UniformStream(seed uint64) func() float64 {
	return func() float64 {
		u := Uniform(0, seed)
		seed += 0x9E3779B97F4A7C15
		return u
	}
}
