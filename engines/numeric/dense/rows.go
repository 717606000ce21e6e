package dense

// Products with rows of a matrix that stores all its cells: row i is values[start[i]:][:n]. They give the bits of Dot and AddTo, and
// spare what calls of these cost beside rows that are short.

// DotEachRow sets dst[i] to Dot of w, of length n, and row i, for each row of start.
func DotEachRow(dst, values []float64, start []int, w []float64) {
	dst = dst[:len(start)]
	n, i := len(w), 0
	if rows := len(start) &^ 3; hasVectors && n > 0 && rows > 0 {
		checkRows(values, start, n)
		dotEachRowVector(&dst[0], &values[0], &start[0], rows, &w[0], n)
		i = rows
	}
	for ; i < len(start); i++ {
		dst[i] = Dot(values[start[i]:][:n], w)
	}
}

// AddEachRow adds r[i] times row i to dst, of length n, for each row of start, one after the other.
func AddEachRow(dst, values []float64, start []int, r []float64) {
	n, i := len(dst), 0
	r = r[:len(start)]
	if hasVectors && n > 0 && len(start) > 0 {
		checkRows(values, start, n)
		addEachRowVector(&dst[0], &values[0], &start[0], &r[0], len(start), n)
		return
	}
	for ; i < len(start); i++ {
		addToPlain(dst, values[start[i]:][:n], r[i])
	}
}

// checkRows panics where a row is not within the values.
func checkRows(values []float64, start []int, n int) {
	for _, s := range start {
		_ = values[s : s+n]
	}
}
