package results

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/sanitize"
	"tenfold/io/sealed"
)

// TableNames returns the Parquet files of a run that Export can write, without extension; results comes first.
func TableNames() []string {
	files := []string{ResultsFile, MetricsFile, SelectionsFile, PathsFile, PredictionsFile, CurvesFile, InnerFile, ClustersFile, SimilarFile}
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
	return sealed.ReadRecords(filepath.Join(dir, name+".parquet"), func(names []string) (func([]string) error, error) {
		cell := slices.Index(names, "cell")
		if labels == nil || cell < 0 || slices.Contains(names, "dataset") {
			return out.Write, out.Write(names)
		}
		return func(record []string) error {
			label, ok := labels.byCell[record[cell]]
			if !ok {
				return fmt.Errorf("cell %s is not in %s", record[cell], ResultsFile)
			}
			return out.Write(slices.Concat(record, label))
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
	return labels, sealed.ReadRecords(filepath.Join(dir, ResultsFile), func(names []string) (func([]string) error, error) {
		var columns []int32
		for i, name := range names {
			if name == "dataset" || name == TaskDim || name == "algorithm" || strings.HasPrefix(name, paramPrefix) || strings.HasPrefix(name, dataPrefix) {
				columns, labels.names = append(columns, int32(i)), append(labels.names, name)
			}
		}
		cell := slices.Index(names, "cell")
		return func(record []string) error {
			if labels.byCell[record[cell]] == nil {
				labels.byCell[record[cell]] = data.ValuesAt(record, columns)
			}
			return nil
		}, nil
	}, func() error { return nil })
}
