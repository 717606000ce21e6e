package dense

// dotEachRowVector does what DotEachRow does, for so many rows, a multiple of 4.
//
//go:noescape
func dotEachRowVector(dst, values *float64, start *int, rows int, w *float64, n int)

//go:noescape
func addEachRowVector(dst, values *float64, start *int, r *float64, rows, n int)
