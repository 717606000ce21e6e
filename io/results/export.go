package results

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"tenfold/engines/data"
	"tenfold/io/sanitize"
)

// TableNames returns the Parquet files of a run that Export can write, without extension; results comes first.
func TableNames() []string {
	files := []string{ResultsFile, MetricsFile, SelectionsFile, PathsFile, PredictionsFile, CurvesFile, ClustersFile, SimilarFile}
	for i, name := range files {
		files[i] = strings.TrimSuffix(name, ".parquet")
	}
	return files
}

// Export writes one table of a run as CSV (RFC 4180): names of columns, then the rows in their order. A table whose lines have the
// key of a cell alone gets the labels of the cell at the end: data set, task, algorithm, parameters of grids. NULL and an empty text are both
// an empty cell. Numbers have enough digits to be read back exactly, times are RFC 3339 in UTC. The files must match their checksums.
func Export(out sanitize.CSV, dir, name string) error {
	labels, err := readCellLabels(dir, name+".parquet")
	if err != nil {
		return err
	}
	return readRecords(filepath.Join(dir, name+".parquet"), func(names []string) (func([]string) error, error) {
		at := slices.Index(names, "cell")
		if labels == nil || at < 0 || slices.Contains(names, "dataset") {
			return out.Write, out.Write(names)
		}
		return func(record []string) error {
			of, ok := labels.byCell[record[at]]
			if !ok {
				return fmt.Errorf("cell %s is not in %s", record[at], ResultsFile)
			}
			return out.Write(slices.Concat(record, of))
		}, out.Write(slices.Concat(names, labels.names))
	}, out.Flush)
}

// cellLabels holds the labels of the cells of a run: dataset, task, algorithm, parameters of grids.
type cellLabels struct {
	names  []string
	byCell map[string][]string
}

// readCellLabels reads the labels for a long table, nil for the results themselves.
func readCellLabels(dir, table string) (*cellLabels, error) {
	if table == ResultsFile {
		return nil, nil
	}
	labels := &cellLabels{byCell: map[string][]string{}}
	return labels, readRecords(filepath.Join(dir, ResultsFile), func(names []string) (func([]string) error, error) {
		var columns []int32
		for i, name := range names {
			if name == "dataset" || name == TaskDim || name == "algorithm" || strings.HasPrefix(name, paramPrefix) || strings.HasPrefix(name, dataPrefix) {
				columns, labels.names = append(columns, int32(i)), append(labels.names, name)
			}
		}
		at := slices.Index(names, "cell")
		return func(record []string) error {
			if labels.byCell[record[at]] == nil {
				labels.byCell[record[at]] = data.ValuesAt(record, columns)
			}
			return nil
		}, nil
	}, func() error { return nil })
}

// readRecords reads a file with flat columns, which must match its checksum, as texts: begin gets the names of the columns and returns
// what gets each row, in one buffer for all.
func readRecords(path string, begin func(names []string) (func(record []string) error, error), end func() error) error {
	t, err := openTable(path)
	if err != nil {
		return err
	}
	return errors.Join(t.protect(func() error { return t.readRecords(begin, end) }), t.close())
}

func (t *table) readRecords(begin func(names []string) (func(record []string) error, error), end func() error) error {
	if err := t.verifyChecksum(); err != nil {
		return err
	}
	columns := t.Schema().Fields()
	record := make([]string, len(columns))
	for i, c := range columns {
		if !c.Leaf() || c.Repeated() {
			return fmt.Errorf("column %s is not flat", c.Name())
		}
		record[i] = c.Name()
	}
	add, err := begin(record)
	if err != nil {
		return err
	}
	buffer := make([]parquet.Row, 256)
	for _, group := range t.RowGroups() {
		rows := group.Rows()
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				for i, v := range row {
					record[i] = cellText(columns[i], v)
				}
				if err := add(record); err != nil {
					return errors.Join(err, rows.Close())
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return errors.Join(err, rows.Close())
			}
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	return end()
}

// cellText formats a value for CSV.
func cellText(c parquet.Field, v parquet.Value) string {
	if v.IsNull() {
		return ""
	}
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.FormatBool(v.Boolean())
	case parquet.Int32:
		return strconv.FormatInt(int64(v.Int32()), 10)
	case parquet.Int64:
		if logical := c.Type().LogicalType(); logical != nil && isTimestamp(logical.Value) {
			return time.UnixMicro(v.Int64()).UTC().Format(time.RFC3339Nano)
		}
		return strconv.FormatInt(v.Int64(), 10)
	case parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 32)
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	}
	return string(v.ByteArray())
}

func isTimestamp(value format.LogicalTypeValue) bool {
	_, is := value.(*format.TimestampType)
	return is
}
