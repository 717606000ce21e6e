package codes

import (
	"errors"
	"slices"
	"strings"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// Transfer-TPC (Dhillon 2009, chapter 7): code tpc whose prices of classes and features come from what models of similar
// tasks, the donors, selected. With a class in the models of k of t donors, l = t − k, and a feature likewise,
//
//	p(class) = (k+a)/(k+l+a+b),   p(feature) = (k'+c₀)/(k'+l'+c₀+d₀),
//
//	a class that is new:  −lg p(class) − lg p(feature) + 2,
//	a class that is in:   lg Q − lg p(feature) + 2, or as published, min(−lg p(class), 1 + lg Q) − lg p(feature) + 2.
//
// With a = 1, b = K−1, c₀ = 1, d₀ = m_c−1, and no donors, that is 1/K and 1/m_c: tpc (but for the published price of a class
// that is in). These p are odds of one thing each, and sum to 1 over nothing, so the code is not complete; it is used as it
// was published.

// Transfer says what a task takes over from its donors.
type Transfer struct {
	Setting  int      `yaml:"setting" json:"setting" doc:"what is taken over: 1 classes and features, 2 features, 3 classes and features of the semantic classes, 4 of the other ones, the syntactic"`
	Variant  string   `yaml:"variant" json:"variant" doc:"bits of a class that is in the model: thesis (lg Q), or jmlr (the lesser of a new one's, and 1 + lg Q)"`
	Semantic []string `yaml:"semantic" json:"semantic,omitempty" doc:"with settings 3 and 4, the semantic classes; a name that ends in * stands for all that begin so"`
	Absent   string   `yaml:"absent" json:"absent" doc:"donors whose data lacks a feature: count (they did not select it), or skip (they say nothing about it)"`
	A        float64  `yaml:"a" json:"a" doc:"donors imagined that have a class, > 0"`
	B        float64  `yaml:"b" json:"b" doc:"donors imagined that do not, ≥ 0; 0: one less than there are classes"`
	C0       float64  `yaml:"c0" json:"c0" doc:"donors imagined that have a feature, > 0"`
	D0       float64  `yaml:"d0" json:"d0" doc:"donors imagined that do not, ≥ 0; 0: one less than its class has features"`
}

// TransferTPC is the name of the code. An engine of this package does not fit with it: package transfer finds the donors, and fits
// code tpc with their Prior.
const TransferTPC = "transfer-tpc"

// noDonors prices as tpc does.
var noDonors = &Prior{Transfer: DefaultTransfer()}

// Words of the parameters.
const (
	variantThesis = "thesis"
	variantJMLR   = "jmlr"

	absentCount = "count"
	absentSkip  = "skip"
)

// Settings of the thesis.
const (
	settingAll = 1 + iota
	settingFeatures
	settingSemantic
	settingSyntactic
)

// DefaultTransfer returns the thesis' main setting; semantic are the classes of topics.
func DefaultTransfer() Transfer {
	return Transfer{Setting: settingAll, Variant: variantThesis, Semantic: []string{"tp*"}, Absent: absentCount, A: 1, C0: 1}
}

// Validate checks the parameters.
func (t Transfer) Validate() error {
	part := t.Setting == settingSemantic || t.Setting == settingSyntactic
	return errors.Join(
		param.Require("setting", t.Setting >= settingAll && t.Setting <= settingSyntactic, "%d, expected 1, 2, 3 or 4", t.Setting),
		param.OneOf("variant", t.Variant, variantThesis, variantJMLR),
		param.Require("semantic", !part || len(t.Semantic) > 0, "setting %d needs the names of the semantic classes", t.Setting),
		param.Require("semantic", !slices.Contains(t.Semantic, ""), "a class without a name"),
		param.OneOf("absent", t.Absent, absentCount, absentSkip),
		param.Require("a", t.A > 0 && elementary.IsFinite(t.A), "%v, expected a number above 0", t.A),
		param.Require("b", t.B >= 0 && elementary.IsFinite(t.B), "%v, expected 0 or more", t.B),
		param.Require("c0", t.C0 > 0 && elementary.IsFinite(t.C0), "%v, expected a number above 0", t.C0),
		param.Require("d0", t.D0 >= 0 && elementary.IsFinite(t.D0), "%v, expected 0 or more", t.D0),
	)
}

// Compared returns the features that tell tasks apart in this setting: all, semantic or syntactic.
func (t Transfer) Compared() string {
	switch t.Setting {
	case settingSemantic:
		return "semantic"
	case settingSyntactic:
		return "syntactic"
	}
	return "all"
}

// Skips reports whether donors say nothing about features that their data lacks, so that their columns have to be known.
func (t Transfer) Skips() bool { return t.Absent == absentSkip }

// Uses reports whether features of a class tell tasks apart and are transferred, in this setting.
func (t Transfer) Uses(class string) bool {
	switch t.Setting {
	case settingSemantic:
		return t.isSemantic(class)
	case settingSyntactic:
		return !t.isSemantic(class)
	}
	return true
}

func (t Transfer) isSemantic(class string) bool {
	return slices.ContainsFunc(t.Semantic, func(name string) bool {
		begin, many := strings.CutSuffix(name, "*")
		return class == name || many && strings.HasPrefix(class, begin)
	})
}
