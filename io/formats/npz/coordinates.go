package npz

import (
	"encoding/binary"
	"fmt"
	"math"

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
	for k := range n {
		i, j := row.integerAt(k), col.integerAt(k)
		if i < 0 || i >= int64(b.rows) || j < 0 || j >= int64(b.cols) {
			return block{}, fmt.Errorf("%s: entry %d (from 0) is at row %d, column %d of a matrix of %d × %d", z.file, k, i, j, b.rows, b.cols)
		}
	}
	entries := source.Coordinates{
		Rows: b.rows, N: n, Value: data.floatAt,
		At: func(k int) (int, int32) { return int(row.integerAt(k)), int32(col.integerAt(k)) },
	}
	indices, values, ends := make([]byte, 0, 4*n), make([]byte, 0, 8*n), make([]byte, 0, 8*(b.rows+1))
	ends = binary.LittleEndian.AppendUint64(ends, 0)
	b.added, _ = entries.EachRow(func(_ int, idx []int32, val []float64) error {
		for k, j := range idx {
			indices = binary.LittleEndian.AppendUint32(indices, uint32(j))
			values = binary.LittleEndian.AppendUint64(values, math.Float64bits(val[k]))
		}
		ends = binary.LittleEndian.AppendUint64(ends, uint64(len(indices)/4))
		return nil
	})
	b.indices = array{file: col.file, dtype: "<i4", shape: []int{len(indices) / 4}, body: indices}
	b.data = array{file: data.file, dtype: "<f8", shape: []int{len(values) / 8}, body: values}
	b.indptr = array{file: row.file, dtype: "<i8", shape: []int{b.rows + 1}, body: ends}
	return b, nil
}
