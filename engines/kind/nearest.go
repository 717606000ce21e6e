package kind

import "fmt"

// DidYouMean is `; did you mean "x"?` for the nearest of the names, or nothing when none is near.
func DidYouMean(name string, names []string) string {
	if n := Nearest(name, names); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// Nearest is the name within a third of its length by edit distance (transpositions count one); the first on ties.
func Nearest(name string, names []string) string {
	best, bestDist := "", len(name)/3+2
	for _, n := range names {
		if d := distance(name, n); d < bestDist && d < len(n) {
			best, bestDist = n, d
		}
	}
	return best
}

// distance is the optimal string alignment distance, O(len(a)·len(b)).
func distance(a, b string) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
