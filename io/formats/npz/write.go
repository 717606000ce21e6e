package npz

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"tenfold/engines/numeric/sparse"
)

// ReadArray reads an .npy file of numbers, whole: its shape, and its values row by row. The errors name the file.
func ReadArray(file string, content []byte) (shape []int, values []float64, err error) {
	a, err := parseNumbers(file, content)
	if err != nil {
		return nil, nil, err
	}
	if len(a.shape) > 2 {
		return nil, nil, fmt.Errorf("%s: shape %v, expected one or two dimensions", file, a.shape)
	}
	n := 1
	for _, size := range a.shape {
		n *= size
	}
	values = make([]float64, n)
	for k := range values {
		values[k] = a.floatAt(k)
		if a.fortran && len(a.shape) == 2 {
			values[k] = a.floatAt(a.indexOf(k/a.shape[1], k%a.shape[1]))
		}
	}
	return a.shape, values, nil
}

// arrayWriter writes the numbers of an array after its header.
type arrayWriter struct {
	w   *bufio.Writer
	buf [8]byte
}

func newArrayWriter(w io.Writer, descr string, shape ...int) (*arrayWriter, error) {
	a := &arrayWriter{w: bufio.NewWriterSize(w, 1<<20)}
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	if len(shape) == 1 {
		sizes += ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, sizes)
	const fixed = 10 // the magic word, the version, the length; values begin at a multiple of 64
	header += strings.Repeat(" ", (64-(fixed+len(header)+1)%64)%64) + "\n"
	_, err := fmt.Fprintf(a.w, "\x93NUMPY\x01\x00%s%s", binary.LittleEndian.AppendUint16(nil, uint16(len(header))), header)
	return a, err
}

func (a *arrayWriter) writeInt32(x int32) {
	binary.LittleEndian.PutUint32(a.buf[:], uint32(x))
	a.w.Write(a.buf[:4]) // the first error stays until Flush
}

func (a *arrayWriter) writeInt64(x int64) {
	binary.LittleEndian.PutUint64(a.buf[:], uint64(x))
	a.w.Write(a.buf[:8])
}

func (a *arrayWriter) writeFloat(x float64) { a.writeInt64(int64(math.Float64bits(x))) }

// WriteFloats writes an .npy file of float64, row by row.
func WriteFloats(w io.Writer, values []float64, shape ...int) error {
	a, err := newArrayWriter(w, "<f8", shape...)
	if err != nil {
		return err
	}
	for _, x := range values {
		a.writeFloat(x)
	}
	return a.w.Flush()
}

// WriteIntegers writes an .npy file of int64.
func WriteIntegers[T ~int32 | ~int64 | ~int](w io.Writer, values []T) error {
	a, err := newArrayWriter(w, "<i8", len(values))
	if err != nil {
		return err
	}
	for _, x := range values {
		a.writeInt64(int64(x))
	}
	return a.w.Flush()
}

// WriteDense writes a matrix with all its zeros as an .npy file of float64.
func WriteDense(w io.Writer, x *sparse.Matrix) error {
	rows, columns := x.Dims()
	a, err := newArrayWriter(w, "<f8", rows, columns)
	if err != nil {
		return err
	}
	line := make([]float64, columns)
	for i := range rows {
		row := x.Row(i)
		for k, j := range row.Idx {
			line[j] = row.At(k)
		}
		for _, v := range line {
			a.writeFloat(v)
		}
		for _, j := range row.Idx {
			line[j] = 0
		}
	}
	return a.w.Flush()
}

// WriteSparse writes a matrix as scipy.sparse.save_npz does, by rows and unpacked. It reads the matrix three times, and copies none
// of it.
func WriteSparse(w io.Writer, x *sparse.Matrix) error {
	rows, columns := x.Dims()
	entries := 0
	for i := range rows {
		entries += x.Row(i).Len()
	}
	z := zip.NewWriter(w)
	member := func(name, descr string, write func(a *arrayWriter), shape ...int) error {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		a, err := newArrayWriter(to, descr, shape...)
		if err != nil {
			return err
		}
		write(a)
		return a.w.Flush()
	}
	wide := entries > math.MaxInt32
	pointer, put := "<i4", func(a *arrayWriter, n int) { a.writeInt32(int32(n)) }
	if wide {
		pointer, put = "<i8", func(a *arrayWriter, n int) { a.writeInt64(int64(n)) }
	}
	for _, step := range []func() error{
		func() error {
			return member("indices", pointer, func(a *arrayWriter) {
				for i := range rows {
					for _, j := range x.Row(i).Idx {
						put(a, int(j))
					}
				}
			}, entries)
		},
		func() error {
			return member("indptr", pointer, func(a *arrayWriter) {
				n := 0
				put(a, n)
				for i := range rows {
					n += x.Row(i).Len()
					put(a, n)
				}
			}, rows+1)
		},
		func() error {
			return member("format", "|S3", func(a *arrayWriter) { a.w.WriteString("csr") })
		},
		func() error {
			return member("shape", "<i8", func(a *arrayWriter) { a.writeInt64(int64(rows)); a.writeInt64(int64(columns)) }, 2)
		},
		func() error {
			return member("data", "<f8", func(a *arrayWriter) {
				for i := range rows {
					row := x.Row(i)
					for k := range row.Idx {
						a.writeFloat(row.At(k))
					}
				}
			}, entries)
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return z.Close()
}

// WriteMarketArray writes values, given row by row, as an array file of Matrix Market, which has them column by column.
func WriteMarketArray(w io.Writer, values []float64, rows, columns int) error {
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns)
	for j := range columns {
		for i := range rows {
			fmt.Fprintln(out, values[i*columns+j])
		}
	}
	return out.Flush()
}

// ReadMarketArray reads an array file of Matrix Market: its shape, and its values row by row. The errors name the file.
func ReadMarketArray(file string, content []byte) (shape []int, values []float64, err error) {
	lines := bufio.NewScanner(bytes.NewReader(content))
	next := func() (string, bool) {
		for lines.Scan() {
			if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "%") {
				return line, true
			}
		}
		return "", false
	}
	if !bytes.HasPrefix(content, []byte("%%MatrixMarket matrix array ")) {
		return nil, nil, fmt.Errorf("%s: expected a first line that begins with %%%%MatrixMarket matrix array", file)
	}
	line, _ := next()
	var rows, columns int
	if n, _ := fmt.Sscan(line, &rows, &columns); n != 2 || rows < 0 || columns < 0 || columns > 0 && rows > len(content)/columns {
		return nil, nil, fmt.Errorf("%s: found %q, expected the numbers of rows and columns, and as many values", file, line)
	}
	values = make([]float64, rows*columns)
	for k := range values {
		line, ok := next()
		if !ok {
			return nil, nil, fmt.Errorf("%s: %d values, expected %d", file, k, len(values))
		}
		if values[k%rows*columns+k/rows], err = strconv.ParseFloat(line, 64); err != nil {
			return nil, nil, fmt.Errorf("%s: value %d: found %q, expected a number", file, k+1, line)
		}
	}
	if line, more := next(); more {
		return nil, nil, fmt.Errorf("%s: found %q after %d values", file, line, len(values))
	}
	return []int{rows, columns}, values, lines.Err()
}

// WriteMatrixMarket writes the stored entries of a matrix, numbered from 1, as a coordinate file.
func WriteMatrixMarket(w io.Writer, x *sparse.Matrix) error {
	rows, columns := x.Dims()
	entries := 0
	for i := range rows {
		entries += x.Row(i).Len()
	}
	out := bufio.NewWriterSize(w, 1<<20)
	fmt.Fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", rows, columns, entries)
	for i := range rows {
		row := x.Row(i)
		for k, j := range row.Idx {
			fmt.Fprintf(out, "%d %d %v\n", i+1, j+1, row.At(k))
		}
	}
	return out.Flush()
}
