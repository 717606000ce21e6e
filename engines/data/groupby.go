package data

// GroupBy divides the rows by a text that each row has: equal texts belong together. Groups are numbered in order of
// first appearance; nothing but the keys, which depend on the text alone, decides on which side of a split they fall.
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
