package algorithm

import (
	"gopkg.in/yaml.v3"

	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/imported"
)

// importedAlgorithm returns an algorithm whose predictions were made elsewhere. Its files are read with the data.
func (d *Reader) importedAlgorithm(n *yaml.Node, entry algorithmEntry) (Algorithm, bool) {
	before := d.Count
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Value != "name" && key.Value != "import" && key.Value != "datasets" {
			d.Add(key, "%s: it does not go together with import: nothing is fitted", key.Value)
		}
	}
	var f imported.Files
	if d.DecodeInto(entry.Import, &f, strictyaml.Owner{Noun: "key", Of: "import"}) {
		d.Report(entry.Import, f.Validate())
	}
	words := rawObject{imported.Predictions: quotedJSON(f.Predictions.Path)}
	if f.Selections.Path != "" {
		words[imported.Selections] = quotedJSON(f.Selections.Path)
	}
	params := withJSON("{}", rawObject{"import": []byte(withJSON("{}", words))})
	return Algorithm{
		Name: entry.Name, Kind: results.ImportEngine, Rev: imported.Rev, Engine: imported.Engine{}, Defaults: imported.Engine{},
		Params: params, Canonical: "{}", Import: &f, Where: entry.Datasets, Entry: reading.Entry{Node: n},
	}, d.Count == before
}
