// Package transfer is Transfer-TPC (Dhillon 2009, chapter 7): the models of a task's levels, each against the
// rest, are selected by code tpc with prices from the models of similar levels of other tasks.
//
//  1. Donor: every task, on all of its rows, has one model of code tpc a level, and by Simes' procedure the features that go
//     with each level.
//  2. Pooling: that of all tasks is put together. For people, all levels are clustered by the features that go with them.
//  3. On a task, with the rows of a fold: its levels, seen by these rows, are clustered together with those of the other tasks.
//     A level learns from the members of its cluster, its donors, but never from its siblings, which tell what it is not. A
//     level in the background, or among siblings alone, is coded by tpc.
package transfer

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/data"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/param"
)

// Engine is code transfer-tpc of engine mdl. Its parameters are those of mdl, and the options below transfer. It fits what On
// makes of it.
type Engine struct {
	mdl.MDL `yaml:",inline"`
	Options `yaml:"transfer"`

	pool *pool // what all tasks left; nil before On
	task int   // which of them is this one
}

// codeTPC is the code of donors, and of levels without any.
const codeTPC = "tpc"

// tpc returns the engine of a level without donors.
func (e Engine) tpc() mdl.MDL {
	plain := e.MDL
	plain.Code = codeTPC
	return plain
}

// Validate checks mdl's parameters and the options.
func (e Engine) Validate() error {
	options := e.Options.Validate()
	switch {
	case e.Code != codes.TransferTPC:
		return errors.Join(param.Errorf("code", "%s: only %s takes prices from other tasks", e.Code, codes.TransferTPC), options)
	case e.Search == "alpha-investing":
		return errors.Join(param.Errorf("search", "%s goes by p-values, so that prices of other tasks would change nothing", e.Search), options)
	}
	return errors.Join(e.tpc().Validate(), options)
}

// Needs returns a class of any number of levels, and classes of features.
func (e Engine) Needs() engines.Needs { return needs(e.simes()) }

func needs(simes univariate.Simes) engines.Needs {
	return engines.Needs{Target: data.Class, FeatureClasses: true, Binary: simes.Needs().Binary, Unweighted: true}
}

// Donor returns the first stage. It depends on what a task is by itself: of the options, on the test of features.
func (e Engine) Donor() engines.Engine {
	return donor{MDL: e.tpc(), Simes: e.simes(), Columns: e.Skips()}
}

// Pooling returns the second stage.
func (e Engine) Pooling() engines.Pooling { return e.pooling() }

// StageRevision returns that of the options.
func (e Engine) StageRevision() int { return Kind.Rev }

// Learn reads what the pool left.
func (e Engine) Learn(pool []byte) (engines.Learned, error) { return readPool(pool) }

// Fit fits one model a level, with prices from its donors.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.pool == nil {
		return nil, fmt.Errorf("code %s learns from the other tasks of a family: it needs a data set with family: folder, where it runs in stages, and cannot be a part of another algorithm", codes.TransferTPC)
	}
	return e.fit(ctx, run)
}
