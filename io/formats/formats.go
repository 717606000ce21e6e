// Package formats is the list of dataset formats. To add one, write its folder beside this one and name it here.
package formats

import (
	"tenfold/engines/registry"
	"tenfold/io/formats/arff"
	"tenfold/io/formats/conll"
	"tenfold/io/formats/conllu"
	"tenfold/io/formats/documents"
	"tenfold/io/formats/gct"
	"tenfold/io/formats/knp"
	"tenfold/io/formats/labelled"
	"tenfold/io/formats/mat"
	"tenfold/io/formats/mtx"
	"tenfold/io/formats/nips"
	"tenfold/io/formats/npz"
	"tenfold/io/formats/senses"
	"tenfold/io/formats/svmlight"
	"tenfold/io/formats/synthetic"
	"tenfold/io/formats/tabular"
	"tenfold/io/formats/vw"
	"tenfold/io/source"
)

// Formats returns every format by name. An error is a mistake in a definition, never the user's.
func Formats() (source.Set, error) {
	return registry.NewSet(
		arff.Kind,
		conll.Kind,
		conllu.JoinsKind,
		conllu.TokensKind,
		conllu.PairsKind,
		documents.Kind,
		gct.Kind,
		knp.Kind,
		labelled.MegamKind,
		labelled.WordsKind,
		mat.Kind,
		mtx.Kind,
		nips.Kind,
		senses.NOADKind,
		npz.Kind,
		senses.PropBankKind,
		senses.Senseval2Kind,
		svmlight.Kind,
		synthetic.Kind,
		tabular.CSVKind,
		tabular.JSONLKind,
		tabular.ParquetKind,
		tabular.TSVKind,
		tabular.XLSXKind,
		vw.Kind,
	)
}
