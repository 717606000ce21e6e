package stagewise

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/likelihood"
)

// family is a loss: the targets it takes, and how its path starts.
type family interface {
	needs() engines.Needs
	check(e Stagewise) error // refuses parameters that mean nothing in the family
	start(ctx context.Context, e Stagewise, run engines.Run) (path, error)
	footprint(rows, columns, entries int64) int64 // bytes beyond those of the design
}

// path is a path of models that a fit follows. leastSquaresPath and likelihoodPath implement it.
type path interface {
	run(ctx context.Context) error
	state() *pathState
	model(engines.Fitted) engines.Model // of the best point
	facts() []data.Fact
	heldOutFacts(part string) []data.Fact // part names the held-out rows: validation or test; nil if there are none
	notes() []string
	release() // frees everything in the size of the data; state, heldOutFacts and notes stay valid
}

// auto is the family of the target: gaussian of a number, logistic of two levels, loglinear of more.
const auto = "auto"

var families = []string{"gaussian", "expfam", "logistic", "loglinear"}

func (e Stagewise) family() family {
	switch e.Family {
	case "expfam":
		return expfamFamily{}
	case "logistic":
		return logisticFamily{}
	case "loglinear":
		return loglinearFamily{}
	}
	return gaussianFamily{}
}

// acceptedBy reports whether all parameters mean something in a family.
func (e Stagewise) acceptedBy(family string) bool {
	e.Family = family
	return e.family().check(e) == nil
}

// withFamily resolves family auto for a target of the given number of levels, 0 for a real one. Of two levels the family is
// logistic, if it accepts the parameters.
func (e Stagewise) withFamily(levels int) Stagewise {
	switch {
	case e.Family != auto:
	case levels == 0:
		e.Family = "gaussian"
	case levels == 2 && e.acceptedBy("logistic"):
		e.Family = "logistic"
	default:
		e.Family = "loglinear"
	}
	return e
}

// autoNeeds returns the union of what the families need that accept the parameters.
func (e Stagewise) autoNeeds() engines.Needs {
	numbers, two, many := e.acceptedBy("gaussian"), e.acceptedBy("logistic"), e.acceptedBy("loglinear")
	needs := engines.Needs{Target: data.Any}
	if !numbers {
		needs.Target = data.Class
	}
	if !many {
		needs.Levels = 2
	}
	if !two && !many {
		needs = engines.Needs{Target: data.Real}
	}
	return needs
}

// checkAuto returns an error if no family accepts the parameters.
func (e Stagewise) checkAuto() error {
	var why []string
	for _, family := range []string{"gaussian", "logistic", "loglinear"} {
		e.Family = family
		err := e.family().check(e)
		if err == nil {
			return nil
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		why = append(why, first)
	}
	return param.Errorf("family", "auto finds no family for these parameters together (%s)", strings.Join(why, "; "))
}

// resolveFamily resolves family auto by the training target, and announces the result.
func (e Stagewise) resolveFamily(run engines.Run) (Stagewise, error) {
	if e.Family != auto {
		return e, nil
	}
	target := run.Train.TargetInfo(0)
	levels := 0
	if target.Type == data.Class {
		levels = len(target.Levels)
	}
	if e = e.withFamily(levels); levels == 0 {
		run.Say("family", "gaussian, as the target is a number")
	} else {
		run.Say("family", fmt.Sprintf("%s, as the target has %d levels", e.Family, levels))
	}
	return e, e.family().check(e)
}

// gaussianFamily is least squares.
type gaussianFamily struct{}

func (gaussianFamily) needs() engines.Needs { return engines.Needs{Target: data.Real} }

func (gaussianFamily) check(e Stagewise) error {
	return errors.Join(
		param.Require("select", e.Select != "explicit", "family gaussian selects by gradient"),
		param.Require("min_gradient", !(e.MinGradient > 0), "family gaussian has min_c"),
		param.Require("min_increase", !(e.MinIncrease > 0), "family gaussian has min_c"),
		checkNoCutoff(e), checkNoInterceptEvery(e),
	)
}

func (gaussianFamily) start(ctx context.Context, e Stagewise, run engines.Run) (path, error) {
	return e.startLeastSquares(ctx, run)
}

func (gaussianFamily) footprint(_, _, _ int64) int64 { return 0 }

// checkNoCutoff refuses the parameter that only family loglinear has.
func checkNoCutoff(e Stagewise) error {
	return param.Require("cutoff", !(e.Cutoff > 1), "family %s has one weight a column; only loglinear has a cutoff", e.Family)
}

// checkNoInterceptEvery refuses the parameter that only family logistic has.
func checkNoInterceptEvery(e Stagewise) error {
	return param.Require("intercept_every", !(e.InterceptEvery > 0), "family %s has no intercept that moves; only logistic does", e.Family)
}

// checkLikelihoodFamily refuses the parameters that only least squares has.
func checkLikelihoodFamily(e Stagewise) error {
	return errors.Join(
		param.Require("step", e.Step == "fixed", "%s: family %s takes fixed steps", e.Step, e.Family),
		param.Require("jumps", !e.Jumps, "only least squares can tell how far a feature stays the best"),
		param.Require("lazy", !e.Lazy, "family %s computes no Gram column", e.Family),
		param.Require("min_c", !(e.MinC > 0), "family %s has min_gradient and min_increase", e.Family),
		param.Require("min_gradient", !(e.MinGradient > 0) || e.Select != "explicit", "select explicit has min_increase"),
		param.Require("min_increase", !(e.MinIncrease > 0) || e.Select == "explicit", "select gradient has min_gradient"),
	)
}

// uncentredScale returns the scaling for likelihoods, whose features formulas do not centre: with scale none that is RawScale.
func (e Stagewise) uncentredScale() string {
	if e.Scale == "none" {
		return design.RawScale
	}
	return e.Scale
}

// expfamFamily is the exponential family over the training rows; the target is their base weight.
type expfamFamily struct{}

func (expfamFamily) needs() engines.Needs { return engines.Needs{Target: data.Real} }

func (expfamFamily) check(e Stagewise) error {
	return errors.Join(checkLikelihoodFamily(e), checkNoCutoff(e), checkNoInterceptEvery(e),
		param.Require("choose", e.Choose == "last", "%s: the outcomes of family expfam are the training rows themselves, so rows held out have no likelihood; use last", e.Choose))
}

func (expfamFamily) footprint(rows, columns, entries int64) int64 {
	return 8*entries + 16*rows + 60*columns
}

func (expfamFamily) start(ctx context.Context, e Stagewise, run engines.Run) (path, error) {
	d, err := design.New(ctx, run.Train, e.uncentredScale(), design.FarColumns)
	if err != nil {
		return nil, err
	}
	view, _ := run.Train.Defined(0)
	equal := true
	for i, w := range d.Y {
		if !(w > 0) {
			return nil, fmt.Errorf("training data: row %s: target is %v, family expfam takes it for the row's base weight, which is positive", view.ID(i), w)
		}
		equal = equal && w == d.Y[0]
	}
	p := newLikelihoodPath(e, run, likelihood.NewExpfam(ctx, d))
	if equal {
		p.note = "all base weights are equal: the model without features fits them, so every partial derivative is 0 at the start and no feature can be selected"
	}
	columns := len(d.Position)
	p.newModel = func(_ float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model {
		return engines.NewLinear(columns, []float64{0}, coefs, fitted)
	}
	return p, p.initialize(ctx, run)
}
