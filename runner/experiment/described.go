package experiment

import (
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/schema"
)

// described returns the mappings of experiment files, for the schema and the reference.
func described(o Options) schema.File {
	f := schema.File{
		Root: &outline{}, Dataset: &datasetEntry{TrainFraction: 1, Weights: Importance}, Family: &Family{}, RunLimits: &runLimits{}, Budget: &Budget{}, Failures: &Failures{},
		Version: Version, Name: fileName, DatasetKeys: commonKeys, Reactions: []string{Refuse, Skip}, Weightings: []string{Importance, Frequency},
		Engines: o.Engines, Wrappers: o.Wrappers, Formats: o.Formats, Others: o.Sections, MetricNames: o.MetricNames, MetricName: ownName,
	}
	algorithm.Describe(&f)
	return f
}

// Schema returns the JSON Schema of experiment files, for editors, with a final newline: see schema.File.
func Schema(o Options) ([]byte, error) { return described(o).Schema() }

// Reference lists the keys of experiment files, those of the sections that others own last.
func Reference(o Options) []schema.Section { return described(o).Reference() }
