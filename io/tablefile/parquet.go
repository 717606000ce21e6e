package tablefile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// stored is a cell of a Parquet file.
type stored struct {
	parquet.Value
	unsigned   bool
	decimals   int     // of a decimal, -1 for other types
	half       bool    // a float of two bytes
	times, per float64 // turn the number into its unit: seconds, or ones where it is a decimal
	layout     string  // of a date or a timestamp, as text
}

func (s *stored) Missing() bool {
	switch s.Kind() {
	case parquet.Float, parquet.Double:
		x, _ := s.float()
		return math.IsNaN(x)
	case parquet.ByteArray, parquet.FixedLenByteArray:
		if s.half {
			x, _ := s.float()
			return math.IsNaN(x)
		}
		return s.IsNull() || s.decimals < 0 && strings.TrimSpace(s.Text()) == ""
	}
	return s.IsNull()
}

// float returns a number as it is stored, without its unit; ok is false for texts.
func (s *stored) float() (x float64, ok bool) {
	switch s.Kind() {
	case parquet.Boolean:
		if s.Boolean() {
			x = 1
		}
	case parquet.Int32:
		x = float64(s.Int32())
		if s.unsigned {
			x = float64(s.Uint32())
		}
	case parquet.Int64:
		x = float64(s.Int64())
		if s.unsigned {
			x = float64(s.Uint64())
		}
	case parquet.Float:
		x = float64(s.Float())
	case parquet.Double:
		x = s.Double()
	default:
		switch {
		case s.half:
			return halfFloat(s.ByteArray()), true
		case s.decimals >= 0:
			x, _ = new(big.Float).SetInt(s.unscaled()).Float64()
			return x, true
		}
		return 0, false
	}
	return x, true
}

func (s *stored) Number() (float64, bool) {
	x, ok := s.float()
	if !ok {
		return rawtext.ParseNumber(strings.TrimSpace(s.Text()))
	}
	x = x * s.times / s.per
	return x, x-x == 0
}

// Text returns the value as people write it: numbers without a sign that is not there, decimals with their point, dates and times.
func (s *stored) Text() string {
	x, _ := s.float()
	switch {
	case s.IsNull():
		return ""
	case s.decimals >= 0:
		return decimalText(s.unscaled(), s.decimals)
	case s.half:
		return strconv.FormatFloat(x, 'g', -1, 32)
	case s.layout != "":
		whole, fraction := math.Modf(x * s.times / s.per)
		return time.Unix(int64(whole), int64(math.Round(fraction*1e9))).UTC().Format(s.layout)
	case s.unsigned && s.Kind() == parquet.Int32:
		return strconv.FormatUint(uint64(s.Uint32()), 10)
	case s.unsigned && s.Kind() == parquet.Int64:
		return strconv.FormatUint(s.Uint64(), 10)
	}
	return s.String()
}

// unscaled returns the whole number that a decimal is stored as.
func (s *stored) unscaled() *big.Int {
	switch s.Kind() {
	case parquet.Int32:
		return big.NewInt(int64(s.Int32()))
	case parquet.Int64:
		return big.NewInt(s.Int64())
	}
	content := s.ByteArray() // high byte first, in two's complement
	x := new(big.Int).SetBytes(content)
	if len(content) > 0 && content[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(content))))
	}
	return x
}

// decimalText writes a whole number with so many digits after the point, without zeros at the end.
func decimalText(x *big.Int, decimals int) string {
	sign, digits := "", x.String()
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if decimals == 0 {
		return sign + digits
	}
	if short := decimals + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	point := len(digits) - decimals
	return sign + strings.TrimSuffix(strings.TrimRight(digits[:point]+"."+digits[point:], "0"), ".")
}

// halfFloat returns the number in two bytes, low byte first (IEEE 754 binary16).
func halfFloat(b []byte) float64 {
	if len(b) != 2 {
		return math.NaN()
	}
	bits := uint(b[0]) | uint(b[1])<<8
	sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	switch {
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	case exponent == 31 && fraction != 0:
		return math.NaN()
	case exponent == 31:
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// leaf is a column of the file that a sink takes.
type leaf struct {
	name  string
	index int
	sink  Sink
	cell  stored
}

// ParquetScanner reads such files of an input.
func ParquetScanner(in source.Input) Scanner {
	return func(ctx context.Context, file string, content []byte, bind Bind) (int, error) {
		return scanParquet(ctx, in, file, content, bind, nil)
	}
}

// scanParquet reads a file row group by row group. Columns that it cannot read are an error; if refused is not nil, they go there instead,
// with the reason. The library panics on some damaged files; that becomes an error here.
func scanParquet(ctx context.Context, in source.Input, file string, content []byte, bind Bind, refused map[string]string) (rows int, err error) {
	defer func() {
		if p := recover(); p != nil {
			rows, err = 0, fmt.Errorf("%s: not a readable parquet file: %v", file, p)
		}
	}()
	// The library makes room for whatever length the last eight bytes declare.
	if n := len(content); n < 12 || uint64(binary.LittleEndian.Uint32(content[n-8:])) > uint64(n-12) {
		return 0, fmt.Errorf("%s: not a readable parquet file: it does not end in a description of its columns", file)
	}
	f, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return 0, fmt.Errorf("%s: not a readable parquet file: %w", file, err)
	}
	leaves, err := bindLeaves(file, f.Root().Columns(), bind, refused)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(checkPacking(file, f, leaves), checkMemory(in, file, f, leaves)); err != nil {
		return 0, err
	}
	for _, group := range f.RowGroups() {
		for _, l := range leaves {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			n, err := l.readChunk(group.ColumnChunks()[l.index], rows, group.NumRows())
			if err != nil {
				return 0, fmt.Errorf("%s: %w", file, err)
			}
			if int64(n) != group.NumRows() {
				return 0, fmt.Errorf("%s: column %q: %d values, expected %d", file, l.name, n, group.NumRows())
			}
		}
		rows += int(group.NumRows())
	}
	return rows, nil
}

// bindLeaves pairs columns with sinks. Only columns that are read need a type that can be read.
func bindLeaves(file string, columns []*parquet.Column, bind Bind, refused map[string]string) ([]leaf, error) {
	header := make([]string, len(columns))
	for k, c := range columns {
		header[k] = c.Name()
	}
	sinks, err := bind(header)
	if err != nil {
		return nil, err
	}
	var leaves []leaf
	for k, c := range columns {
		if sinks[k] == nil {
			continue
		}
		l := leaf{name: c.Name(), index: c.Index(), sink: sinks[k]}
		why := ""
		if !c.Leaf() || c.Repeated() {
			why = "is nested, expected a flat table"
		} else if cell, ok := cellOf(c.Type()); ok {
			l.cell = cell
		} else {
			why = fmt.Sprintf("has type %s, expected text, a number, a boolean, a date or a timestamp", c.Type())
		}
		switch {
		case why != "" && refused != nil:
			refused[l.name] = why
			continue
		case why != "":
			return nil, fmt.Errorf("%s: column %q %s; list it under columns.drop", file, l.name, why)
		}
		leaves = append(leaves, l)
	}
	return leaves, nil
}

// cellOf tells how values of a type become numbers and texts; ok when they can be read.
func cellOf(t parquet.Type) (c stored, ok bool) {
	c = stored{times: 1, per: 1, decimals: -1}
	var logical format.LogicalTypeValue
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	bytes := t.Kind() == parquet.ByteArray || t.Kind() == parquet.FixedLenByteArray
	switch l := logical.(type) {
	case nil:
		return c, t.Kind() != parquet.Int96 && t.Kind() != parquet.FixedLenByteArray
	case *format.StringType, *format.EnumType, *format.JsonType:
		return c, bytes
	case *format.IntType:
		c.unsigned = !l.IsSigned
	case *format.DateType:
		c.times, c.layout = 86400, time.DateOnly
	case *format.TimestampType:
		c.per, c.layout = 1e9/float64(l.Unit.Value.Duration()), "2006-01-02T15:04:05.999999999"
		if l.IsAdjustedToUTC {
			c.layout += "Z"
		}
	case *format.DecimalType:
		c.per, c.decimals = math.Pow10(int(l.Scale)), int(l.Scale)
		return c, l.Scale >= 0 && l.Scale < 1000 && t.Kind() != parquet.Int96
	case *format.Float16Type:
		c.half = true
		return c, t.Kind() == parquet.FixedLenByteArray
	default:
		return c, false
	}
	return c, !bytes && t.Kind() != parquet.Int96
}

// checkPacking refuses columns whose packing the library does not undo reliably.
func checkPacking(file string, f *parquet.File, leaves []leaf) error {
	for _, group := range f.Metadata().RowGroups {
		for _, l := range leaves {
			if group.Columns[l.index].MetaData.Codec == format.Lz4Raw {
				return fmt.Errorf("%s: column %q is packed with LZ4_RAW, of which some pages are not read as they are; write the file with zstd, snappy or gzip (pandas: to_parquet(..., compression=\"zstd\"))", file, l.name)
			}
		}
	}
	return nil
}

// checkMemory refuses a file that says that it unpacks, or that its rows come, to more memory than one of its size may ask
// for: runs of a value take next to nothing in it.
func checkMemory(in source.Input, file string, f *parquet.File, leaves []leaf) error {
	const each = 24 // bytes a cell: its number, and its entry
	cells, unpacked := int64(0), int64(0)
	for _, group := range f.Metadata().RowGroups {
		if group.NumRows < 0 || group.NumRows > math.MaxInt32 {
			return fmt.Errorf("%s: a group of %d rows, expected 0 to %d", file, group.NumRows, math.MaxInt32)
		}
		cells += group.NumRows * int64(len(leaves))
		for _, l := range leaves {
			unpacked += max(0, min(group.Columns[l.index].MetaData.TotalUncompressedSize, 1<<40))
		}
		if err := source.Allow(in, each*cells+unpacked, file, "%d cells, which unpack to %s,", cells, source.Size(unpacked)); err != nil {
			return err
		}
	}
	return nil
}

// readChunk hands the values of one column of a row group to its sink; before is the number of rows in earlier groups, and
// most that in this one.
func (l leaf) readChunk(chunk parquet.ColumnChunk, before int, most int64) (n int, err error) {
	pages := chunk.Pages()
	defer pages.Close()
	values := make([]parquet.Value, 1024)
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, fmt.Errorf("column %q: %w", l.name, err)
		}
		for reader := page.Values(); err == nil; {
			var got int
			got, err = reader.ReadValues(values)
			for _, v := range values[:got] {
				l.cell.Value = v
				if n++; int64(n) > most {
					return n, fmt.Errorf("column %q: more than %d values", l.name, most)
				}
				if err := l.sink.AddCell(&l.cell); err != nil {
					return n, fmt.Errorf("row %d, column %q: %w", before+n, l.name, err)
				}
			}
		}
		parquet.Release(page)
		if err != io.EOF {
			return n, fmt.Errorf("column %q: %w", l.name, err)
		}
	}
}
