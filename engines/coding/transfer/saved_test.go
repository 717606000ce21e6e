package transfer

import (
	"context"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/bylevel"
)

// A model that learned from other tasks comes back from its JSON; that of a donor comes back as the models of its levels.
func TestModelsAreKept(t *testing.T) {
	t.Parallel()
	e := with(func(e *Engine) { e.Clustering.Share = 0 })
	s := donors(t, e, words)
	set := s.sets["judge"]
	m, err := s.on(t, e, "judge").Fit(context.Background(), run(set, nil))
	if err != nil {
		t.Fatal(err)
	}
	models := engines.Models{
		engines.LinearKind: engines.RestoreLinear, engines.LinkedKind: engines.RestoreLinked, bylevel.SavedAs: bylevel.Restore,
	}
	if _, err := enginetest.Kept(m, models, enginetest.View(set, nil)); err != nil {
		t.Error(err)
	}
	donor, err := e.Donor().Fit(context.Background(), run(set, nil))
	if err != nil {
		t.Fatal(err)
	}
	if saved, err := engines.Save(donor); err != nil || saved.Kind != bylevel.SavedAs {
		t.Errorf("a donor's model is of kind %q (%v)", saved.Kind, err)
	}
}
