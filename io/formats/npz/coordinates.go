package npz

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tenfold/io/source"
)

// openCoordinates reads a matrix of coordinates (scipy's coo) and lays it out by compressed rows. Entries of one place are added in the
// order of the file, as scipy does.
func openCoordinates(in source.Input, z archive) (block, error) {
	b := block{file: z.file, format: "csr"}
	var dims, row, col, data array
	if err := z.readLists(&data, listed{"shape", &dims}, listed{"row", &row}, listed{"col", &col}); err != nil {
		return block{}, err
	}
	if err := b.setShape(dims); err != nil {
		return block{}, err
	}
	n := data.shape[0]
	if row.shape[0] != n || col.shape[0] != n {
		return block{}, fmt.Errorf("%s: %d data for %d rows and %d columns of entries", z.file, n, row.shape[0], col.shape[0])
	}
	if err := source.Allow(in, 8*int64(b.rows+1)+28*int64(n), z.file, "%d entries in %d rows", n, b.rows); err != nil {
		return block{}, err
	}
	start := make([]int, b.rows+1) // of each row
	for k := range n {
		i, j := row.integerAt(k), col.integerAt(k)
		if i < 0 || i >= int64(b.rows) || j < 0 || j >= int64(b.cols) {
			return block{}, fmt.Errorf("%s: entry %d (from 0) is at row %d, column %d of a matrix of %d × %d", z.file, k, i, j, b.rows, b.cols)
		}
		start[i+1]++
	}
	for i := range b.rows {
		start[i+1] += start[i]
	}
	entry := make([]int, n) // numbers of the entries, by row
	for k, next := 0, slices.Clone(start); k < n; k++ {
		i := row.integerAt(k)
		entry[next[i]] = k
		next[i]++
	}
	indices, values, ends := make([]byte, 0, 4*n), make([]byte, 0, 8*n), make([]byte, 0, 8*(b.rows+1))
	ends = binary.LittleEndian.AppendUint64(ends, 0)
	for i := range b.rows {
		of := entry[start[i]:start[i+1]]
		slices.SortStableFunc(of, func(a, b int) int { return int(col.integerAt(a) - col.integerAt(b)) })
		for k := 0; k < len(of); {
			j, sum := col.integerAt(of[k]), data.floatAt(of[k])
			for k++; k < len(of) && col.integerAt(of[k]) == j; k++ {
				sum += data.floatAt(of[k])
				b.added++
			}
			indices = binary.LittleEndian.AppendUint32(indices, uint32(j))
			values = binary.LittleEndian.AppendUint64(values, math.Float64bits(sum))
		}
		ends = binary.LittleEndian.AppendUint64(ends, uint64(len(indices)/4))
	}
	b.indices = array{file: col.file, dtype: "<i4", shape: []int{len(indices) / 4}, body: indices}
	b.data = array{file: data.file, dtype: "<f8", shape: []int{len(values) / 8}, body: values}
	b.indptr = array{file: row.file, dtype: "<i8", shape: []int{b.rows + 1}, body: ends}
	return b, nil
}
