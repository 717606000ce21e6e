package prepare

import (
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/prepare/tfidf"
)

// fitText weighs the entries of rows that are texts, or of the columns that texts of a table are made into: tf-idf, then texts of unit
// length. It uses training rows alone, except for each text's own length.
func (r Recipe) fitText(p *data.Prepared, l *Learned, train []int32) {
	texts := l.preparedTexts()
	if r.TFIDF != "" {
		n := p.Set.Rows()
		if train != nil {
			n = len(train)
		}
		l.IDF = tfidf.InverseFrequency(r.TFIDF, n, tfidf.DocumentFrequency(p.X, train))
		for j := range l.IDF {
			if texts != nil && !texts.Is(j) {
				l.IDF[j] = 1
			}
		}
		p.X = tfidf.ScaleColumns(p.X, l.IDF)
		p.AddFact("training rows that tf-idf counts", fmt.Sprint(n))
	}
	if r.Normalize == "l2" {
		p.X = tfidf.UnitRows(p.X, texts)
	}
}
