package declaration

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/engines/data"
)

// Identity holds what results of a method depend on besides data, parameters and seed. It is part of the keys of its fits.
type Identity struct {
	Protocol int        `json:"protocol"`
	Command  []string   `json:"command"`
	Code     []CodeFile `json:"code,omitempty"`
	Version  string     `json:"version,omitempty"` // the first line that the version command printed
	Image    string     `json:"image,omitempty"`
	Declares []string   `json:"declares"`           // capabilities
	Defaults []Param    `json:"defaults,omitempty"` // defaults of parameters: keys hold only values that differ from them
	Run      string     `json:"run,omitempty"`      // for a method without code: its results are valid in one run only
}

// Identity returns the identity of the method, with the output of its version command. run names the only run in which results of a
// method without code are valid.
func (d *Declaration) Identity(version, run string) (Identity, error) {
	files, err := d.Files()
	if err != nil {
		return Identity{}, err
	}
	id := Identity{Protocol: Protocol, Command: d.Command, Code: files, Version: version, Image: d.Container.Image, Defaults: d.Params}
	if d.Untracked() {
		id.Run = run
	}
	add := func(word string, is bool) {
		if is {
			id.Declares = append(id.Declares, word)
		}
	}
	for _, t := range slices.Sorted(slices.Values(d.Target)) {
		add("target="+t, true)
	}
	for _, out := range slices.Sorted(slices.Values(d.Output)) {
		add("output="+out, true)
	}
	add("tasks", d.Tasks)
	add("deterministic=false", !d.Deterministic)
	add("transductive", d.Transductive)
	add("matrix="+d.Matrix, d.Matrix != matrixNumPy)
	add("sandbox", d.Sandbox)
	add("reuse="+d.Reuse, d.Reuse != reuseNone)
	return id, nil
}

// JSON returns the identity as JSON.
func (id Identity) JSON() json.RawMessage {
	b, err := json.Marshal(id)
	if err != nil { // texts and numbers always encode
		panic(err)
	}
	return b
}

// CodeDigest returns one digest of all code files, "" if there are none.
func (id Identity) CodeDigest() string {
	if len(id.Code) == 0 {
		return ""
	}
	h := sha256.New()
	for _, f := range id.Code {
		fmt.Fprintf(h, "%s %s\n", f.Sha256, f.Path)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// Line returns the command, the version and the digest of the code.
func (id Identity) Line() string {
	parts := []string{strings.Join(id.Command, " ")}
	if id.Version != "" {
		parts = append(parts, "version "+id.Version)
	}
	if code := id.CodeDigest(); code != "" {
		parts = append(parts, "code "+code)
	}
	return strings.Join(parts, ", ")
}

// About describes the method to people: its command, version, code and image.
func (id Identity) About() (out []data.Fact) {
	for _, f := range []data.Fact{
		{Name: "command", Value: strings.Join(id.Command, " ")}, {Name: "version", Value: id.Version}, {Name: "code", Value: id.CodeDigest()}, {Name: "image", Value: id.Image},
	} {
		if f.Value != "" {
			out = append(out, f)
		}
	}
	for _, f := range id.Code {
		out = append(out, data.Fact{Name: "sha256 of " + f.Path, Value: f.Sha256})
	}
	return out
}

// Difference describes what changed between two identities of a method, "" if nothing did.
func Difference(was, is json.RawMessage) string {
	var a, b Identity
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
		return ""
	}
	var out []string
	if !slices.Equal(a.Command, b.Command) {
		out = append(out, fmt.Sprintf("command is %q, was %q", strings.Join(b.Command, " "), strings.Join(a.Command, " ")))
	}
	out = append(out, codeChanges(a.Code, b.Code)...)
	switch {
	case a.Version != b.Version && b.Version == "":
		out = append(out, fmt.Sprintf("version was %q, and is asked only where methods may run", a.Version))
	case a.Version != b.Version:
		out = append(out, fmt.Sprintf("version is %q, was %q", b.Version, a.Version))
	}
	if a.Image != b.Image {
		out = append(out, "the container image changed")
	}
	if !slices.Equal(a.Declares, b.Declares) {
		out = append(out, fmt.Sprintf("it declares %s, declared %s", strings.Join(b.Declares, ", "), strings.Join(a.Declares, ", ")))
	}
	if was, is := defaultsOf(a), defaultsOf(b); !maps.Equal(was, is) {
		for _, name := range slices.Sorted(maps.Keys(is)) {
			switch text, known := was[name]; {
			case !known:
				out = append(out, "parameter "+name+" is new")
			case text != is[name]:
				out = append(out, fmt.Sprintf("the default of %s is %s, was %s", name, is[name], text))
			}
			delete(was, name)
		}
		for _, name := range slices.Sorted(maps.Keys(was)) {
			out = append(out, "parameter "+name+" is gone")
		}
	}
	if a.Run != b.Run {
		out = append(out, "it has no code, so results are of one run alone")
	}
	return strings.Join(out, "; ")
}

// codeChanges says of each file of code that differs whether it changed, is new, or is gone.
func codeChanges(was, is []CodeFile) (out []string) {
	old := map[string]string{}
	for _, f := range was {
		old[f.Path] = f.Sha256
	}
	for _, f := range is {
		switch sum, known := old[f.Path]; {
		case !known:
			out = append(out, "code file "+f.Path+" is new")
		case sum != f.Sha256:
			out = append(out, "code file "+f.Path+" changed")
		}
		delete(old, f.Path)
	}
	for _, f := range was {
		if _, gone := old[f.Path]; gone {
			out = append(out, "code file "+f.Path+" is gone")
		}
	}
	return out
}

// defaultsOf returns the defaults of parameters, as texts.
func defaultsOf(id Identity) map[string]string {
	out := map[string]string{}
	for _, p := range id.Defaults {
		out[p.Name] = fmt.Sprint(p.Default)
	}
	return out
}

// Facts describes an identity in JSON to people.
func Facts(text json.RawMessage) (out []data.Fact) {
	var id Identity
	if json.Unmarshal(text, &id) != nil {
		return nil
	}
	add := func(name, value string) {
		if value != "" {
			out = append(out, data.Fact{Name: "method " + name, Value: value})
		}
	}
	add("command", strings.Join(id.Command, " "))
	for _, f := range id.Code {
		add("code "+f.Path, f.Sha256)
	}
	add("version", id.Version)
	add("image", id.Image)
	add("declares", strings.Join(id.Declares, " "))
	add("run", id.Run)
	return out
}
