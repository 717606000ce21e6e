package experiment

import (
	"tenfold/runner/experiment/schema"
	"tenfold/runner/imported"
	"tenfold/runner/method/declaration"
)

// described returns the mappings of experiment files, for the schema and the reference.
func described(o Options) schema.File {
	l := wrapperList(o.Wrappers)
	return schema.File{
		Root: &outline{}, Dataset: &datasetEntry{TrainFraction: 1}, Family: &Family{}, Algorithm: entryWith[algorithmEntry](l.ofAlgorithm()),
		Part: entryWith[partEntry](keysOf(l.ofPart())), Path: &pathEntry{}, Defaults: &inherited{}, Limits: &limitsEntry{}, Budget: &Budget{},
		Failures: &Failures{}, Method: &methodEntry{Declaration: declaration.Defaults()}, MethodFile: &methodFile{},
		Where: new(Where), Import: &imported.Files{}, Version: Version, Name: fileName, DatasetKeys: commonKeys, Reactions: []string{Refuse, Skip},
		Engines: o.Engines, Wrappers: o.Wrappers, Sections: l.sections(), InParts: l.ofPart(), Formats: o.Formats, Others: o.Sections, MetricNames: o.MetricNames,
	}
}

// Schema returns the JSON Schema of experiment files, for editors, with a final newline: see schema.File.
func Schema(o Options) ([]byte, error) { return described(o).Schema() }

// Reference lists the keys of experiment files, those of the sections that others own last.
func Reference(o Options) []schema.Section { return described(o).Reference() }
