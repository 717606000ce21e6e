// Package formats is the list of dataset formats. To add one, write its folder beside this one and name it here.
package formats

import (
	"tenfold/engines/kind"
	"tenfold/io/arff"
	"tenfold/io/conll"
	"tenfold/io/conllu"
	"tenfold/io/documents"
	"tenfold/io/gct"
	"tenfold/io/knp"
	"tenfold/io/labelled"
	"tenfold/io/npz"
	"tenfold/io/senses"
	"tenfold/io/source"
	"tenfold/io/svmlight"
	"tenfold/io/synthetic"
	"tenfold/io/table"
	"tenfold/io/vw"
)

// Formats is every format by name. An error is a mistake in a definition, never the user's.
func Formats() (source.Set, error) {
	return kind.NewSet(
		arff.Kind,
		conll.Kind,
		conllu.JoinsKind,
		conllu.TokensKind,
		documents.Kind,
		gct.Kind,
		knp.Kind,
		labelled.MegamKind,
		labelled.WordsKind,
		senses.NOADKind,
		npz.Kind,
		senses.PropBankKind,
		senses.Senseval2Kind,
		svmlight.Kind,
		synthetic.Kind,
		table.CSVKind,
		table.ParquetKind,
		table.TSVKind,
		vw.Kind,
	)
}
