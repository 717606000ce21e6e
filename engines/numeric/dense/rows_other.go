//go:build !amd64

package dense

func dotEachRowVector(dst, values *float64, start *int, rows int, w *float64, n int) {
	panic("no vector instructions")
}

func addEachRowVector(dst, values *float64, start *int, r *float64, rows, n int) {
	panic("no vector instructions")
}
