// Package declaration holds what a user declares of a method, a program that serves as an engine, and what the user agrees to: the
// command, what it accepts and returns, the files of its code with their digests, its identity in keys, and the file of consent. It
// reads files and starts nothing. Declaration is the place to begin; Consent and Agreed come next.
package declaration

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"

	"tenfold/engines/param"
)

// Protocol is the version of the files in an exchange folder. Raise it when the meaning of a request or an answer changes.
const Protocol = 1

// What a method returns.
const (
	Selected      = "selected"      // columns, in order of entry
	Coefficients  = "coefficients"  // of a linear model, which predicts
	Predictions   = "predictions"   // for rows handed over after the fit
	Probabilities = "probabilities" // predictions of classes are probabilities
)

// How a method gets its requests.
const (
	StyleLines = "lines" // lines on standard input
	StyleCalls = "calls" // a process for each request, with the request as arguments
)

const (
	reuseNone = "none"
	reuseFold = "fold" // one process fits all points of a grid on one fold
)

const (
	matrixNumPy  = "npz" // or npy, if many entries are non-zero
	MatrixMarket = "mtx"
)

// CodeNone in place of code means that only the output of the version command tells whether results are still valid.
const CodeNone = "none"

// Declaration is the declaration of a method in an experiment file.
type Declaration struct {
	Name          string    `yaml:"name" read:"required" doc:"name of the engine: lower-case letters, digits, dashes"`
	Doc           string    `yaml:"doc" doc:"what it does, in a sentence"`
	Cite          string    `yaml:"cite" doc:"where it was published"`
	Command       []string  `yaml:"command" read:"required" doc:"program and arguments; no shell; run in the folder of the file that declares the method"`
	Code          []string  `yaml:"code" doc:"files whose content decides when stored results are void, relative to the declaring file; * and ** as patterns; [none]: the line that version prints alone decides"`
	Version       []string  `yaml:"version" doc:"program whose first line is part of keys, such as the versions of libraries; run once a session"`
	Target        []string  `yaml:"target" doc:"what it predicts: real, class, survival (default the first two)"`
	Tasks         bool      `yaml:"tasks" doc:"it takes several responses at once"`
	Binary        bool      `yaml:"binary" doc:"it needs columns of 0 and 1"`
	Counts        bool      `yaml:"counts" doc:"it refuses values below 0"`
	Limit         string    `yaml:"limit" doc:"of a method that selects alone: the parameter that says how many columns, at most; fewer are the first of more, so that a path cuts one ranking at several sizes"`
	Output        []string  `yaml:"output" read:"required" doc:"what it hands back: selected, coefficients, predictions, probabilities"`
	Deterministic bool      `yaml:"deterministic" doc:"the same request gives the same answer; false: results are marked, and verify and reproduce list differences in place of failing"`
	Transductive  bool      `yaml:"transductive" doc:"it gets the test rows, without their responses, before it fits; every number that comes of it is marked"`
	Style         string    `yaml:"style" doc:"lines: requests on standard input; calls: a process for each request"`
	Reuse         string    `yaml:"reuse" doc:"none: a process for each fit; fold: one process fits all points of a grid on one and the same fold"`
	Matrix        string    `yaml:"matrix" doc:"npz: NumPy and SciPy files; mtx: Matrix Market"`
	Env           []string  `yaml:"env" doc:"variables of the environment that it gets besides PATH, HOME, LANG, TMPDIR and numbers of threads"`
	Container     Container `yaml:"container" doc:"runs the command in a container"`
	Sandbox       bool      `yaml:"sandbox" doc:"it runs in a sandbox: no network and, with bubblewrap, no file but its exchange folder that it can write; an error where there are no namespaces of the kernel"`

	Confined bool `yaml:"-"` // it runs in a sandbox, whatever it declares

	Params []Param  `yaml:"-"` // names with defaults
	Folder string   `yaml:"-"` // folder of the declaring file
	File   string   `yaml:"-"` // the declaring file
	About  string   `yaml:"-"` // command, version and code in one line, for reports
	Stored bool     `yaml:"-"` // it comes from results or a plan, and the file that they name does not contain it: anybody may have written it
	Known  Identity `yaml:"-"` // identity when the file was read
	Lacks  string   `yaml:"-"` // why it cannot run here, if its cells are left out for that; "" if it can

	agreed []CodeFile // files that the user agreed to, if these are known
}

// Container says where a command runs.
type Container struct {
	Image   string `yaml:"image" json:"image" doc:"image with its digest: name@sha256:..."`
	Runtime string `yaml:"runtime" json:"runtime,omitempty" doc:"podman, docker or apptainer (default the first that there is)"`
}

// Runtimes lists the container runtimes in the order in which they are tried.
var Runtimes = []string{"podman", "docker", "apptainer"}

// Param is a parameter of a method: its default is a float64, an int, a string, a bool, or a list of one of the first three.
type Param struct {
	Name    string `json:"name"`
	Default any    `json:"default"`
}

// Defaults returns the values of a declaration's missing keys.
func Defaults() Declaration {
	return Declaration{Deterministic: true, Style: StyleLines, Reuse: reuseNone, Matrix: matrixNumPy}
}

var (
	methodName    = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	imageDigest   = regexp.MustCompile(`^\S+@sha256:[0-9a-f]{64}$`)
)

// CheckName checks the name of a method.
func CheckName(name string) error {
	if !methodName.MatchString(name) {
		return fmt.Errorf("%q, expected lower-case letters, digits and dashes", name)
	}
	return nil
}

// Validate checks the declaration by itself.
func (d *Declaration) Validate() error {
	var errs []error
	bad := func(field, format string, args ...any) { errs = append(errs, param.Errorf(field, format, args...)) }
	if err := CheckName(d.Name); err != nil {
		bad("name", "%v", err)
	}
	if len(d.Command) == 0 || d.Command[0] == "" {
		bad("command", "expected a program")
	}
	for i, word := range d.Version {
		if word == "" && i == 0 {
			bad("version", "expected a program")
		}
	}
	for i, pattern := range d.Code {
		if pattern == CodeNone && len(d.Code) > 1 {
			bad(fmt.Sprintf("code.%d", i), "none stands alone")
		} else if _, err := matchPath(pattern, "x"); err != nil {
			bad(fmt.Sprintf("code.%d", i), "%q: %v", pattern, err)
		} else if filepath.IsAbs(pattern) {
			bad(fmt.Sprintf("code.%d", i), "%q, expected a path relative to the file that declares the method", pattern)
		}
	}
	if len(d.Code) == 1 && d.Code[0] == CodeNone && len(d.Version) == 0 {
		bad("code", "none: then version is what decides, and there is none")
	}
	for i, t := range d.Target {
		errs = append(errs, param.OneOf(fmt.Sprintf("target.%d", i), t, TypeReal, TypeClass, TypeSurvival))
	}
	if d.TakesTimes() && len(d.Target) == 2 {
		bad("target", "survival beside one of the others, expected it alone, or all three")
	}
	if d.TakesTimes() && d.Tasks {
		bad("target", "survival, and tasks: responses of several tasks are a table without events")
	}
	for i, out := range d.Output {
		errs = append(errs, param.OneOf(fmt.Sprintf("output.%d", i), out, Selected, Coefficients, Predictions, Probabilities))
	}
	if len(d.Output) == 0 {
		bad("output", "expected one at least of %s, %s, %s, %s", Selected, Coefficients, Predictions, Probabilities)
	}
	if d.Gives(Probabilities) && len(d.Target) == 1 && d.Target[0] != TypeClass {
		bad("output", "%s are of classes, and target is %s", Probabilities, d.Target[0])
	}
	errs = append(errs, param.OneOf("style", d.Style, StyleLines, StyleCalls), param.OneOf("reuse", d.Reuse, reuseNone, reuseFold),
		param.OneOf("matrix", d.Matrix, matrixNumPy, MatrixMarket))
	if d.Reuse == reuseFold && d.Style == StyleCalls {
		bad("reuse", "fold needs style: %s", StyleLines)
	}
	if d.Reuse == reuseFold && d.Transductive {
		bad("reuse", "fold is not for methods that see test rows")
	}
	if c := d.Container; c.Image != "" || c.Runtime != "" {
		if !imageDigest.MatchString(c.Image) {
			bad("container.image", "%q, expected a name with a digest, such as name@sha256:..., since a tag may come to mean another image", c.Image)
		}
		if c.Runtime != "" {
			errs = append(errs, param.OneOf("container.runtime", c.Runtime, Runtimes...))
		}
	}
	if d.Sandbox && d.Container.Image != "" {
		bad("sandbox", "a container has no network anyway: expected one of the two")
	}
	if d.Limit != "" {
		index := slices.IndexFunc(d.Params, func(p Param) bool { return p.Name == d.Limit })
		switch {
		case d.Predicts():
			bad("limit", "is of methods that select alone: expected output: [%s]", Selected)
		case index < 0:
			bad("limit", "%q, expected one of params", d.Limit)
		default:
			if _, whole := d.Params[index].Default.(int); !whole {
				bad("limit", "%s has the default %v, expected a whole number", d.Limit, d.Params[index].Default)
			}
		}
	}
	seen := map[string]bool{}
	for _, p := range d.Params {
		if !parameterName.MatchString(p.Name) {
			bad("params."+p.Name, "expected a name of letters, digits and underscores")
		}
		if seen[p.Name] {
			bad("params."+p.Name, "is there twice")
		}
		seen[p.Name] = true
		if x, ok := p.Default.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
			bad("params."+p.Name, "%v, expected a finite number", x)
		}
	}
	return errors.Join(errs...)
}

// Gives reports whether the method returns an output; whoever returns probabilities returns predictions.
func (d *Declaration) Gives(output string) bool {
	return slices.Contains(d.Output, output) || output == Predictions && slices.Contains(d.Output, Probabilities)
}

// Values of target.
const (
	TypeReal     = "real"
	TypeClass    = "class"
	TypeSurvival = "survival"
)

// TakesTimes reports whether the method accepts survival times.
func (d *Declaration) TakesTimes() bool { return slices.Contains(d.Target, TypeSurvival) }

// Predicts reports whether the method's model predicts, by itself or by its coefficients. A method that does not can only stand in
// select.
func (d *Declaration) Predicts() bool { return d.Gives(Coefficients) || d.Gives(Predictions) }

// Reuses reports whether one process serves several fits.
func (d *Declaration) Reuses() bool { return d.Reuse == reuseFold }

// Sandboxed reports whether the processes of the method run in a sandbox.
func (d *Declaration) Sandboxed() bool { return (d.Sandbox || d.Confined) && d.Container.Image == "" }
