package dense

import "golang.org/x/sys/cpu"

var hasWideVectors = cpu.X86.HasAVX512F

//go:noescape
func tileVector(t *tile, a, b *float64, rows int)

//go:noescape
func weightedTileVector(t *tile, a, b, w *float64, rows int)

//go:noescape
func tileWide(t *tile, a, b *float64, rows int)

//go:noescape
func weightedTileWide(t *tile, a, b, w *float64, rows int)
