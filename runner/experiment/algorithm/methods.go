package algorithm

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/method/declaration"
)

// Methods holds what a file needs to know about programs that it declares as engines.
type Methods struct {
	Kind     func(*declaration.Declaration) engines.Kind // makes the engine of a declaration
	Agreed   *declaration.Agreed                         // what the user agreed to run; nil: nothing
	Versions map[string]string                           // by Declaration.Digest, the lines that versions printed
	Lacks    map[string]string                           // likewise, why methods left out by failures: {unavailable: skip} cannot run here
	Run      string                                      // name of the run; results of a method without code are valid in this run only
}

// methodEntry is an entry of the section methods: a declaration, or the name of a file with one.
type methodEntry struct {
	declaration.Declaration `yaml:",inline"`
	Params                  *yaml.Node `yaml:"params" doc:"names of parameters with their defaults: numbers (1.0), whole numbers (1), words, true or false, or lists of one of the first three"`
}

// methodFile is an entry of the section methods that names a file.
type methodFile struct {
	File string `yaml:"file" read:"required" doc:"file that declares the method, relative to this one"`
}

// IdentityKey is the name under which the parameters in a key hold the identity of a method. No parameter can have this name.
const IdentityKey = "(method)"

// DecodeMethods adds the methods of the file to the engines.
func (d *Reader) DecodeMethods(entries []*yaml.Node, program engines.Set, run Methods) (engines.Set, []*declaration.Declaration) {
	if len(entries) == 0 {
		return program, nil
	}
	set, identities := maps.Clone(program), map[string]json.RawMessage{}
	var declared []*declaration.Declaration
	for _, n := range entries {
		_, node := strictyaml.Entry(n, "name")
		m := d.decodeMethod(n)
		if m == nil {
			d.mistakenMethods = d.mistakenMethods || node == nil
			if node != nil {
				identities[node.Value] = nil
			}
			continue
		}
		if node == nil {
			node = n
		}
		if m.Name == results.ImportEngine {
			d.Add(node, "name: %s stands for predictions made elsewhere; a method has a name of its own", m.Name)
			continue
		}
		if _, taken := set[m.Name]; taken {
			if _, ours := program[m.Name]; ours {
				d.Add(node, "name: %s is an engine of tenfold; a method has a name of its own", m.Name)
			} else {
				d.Add(node, "name: another method is named %s", m.Name)
			}
			continue
		}
		id, err := m.Identity(run.Versions[m.Digest()], run.Run)
		if err != nil {
			d.Add(n, "method %s: %v", m.Name, err)
			identities[m.Name] = nil
			continue
		}
		m.About, m.Known, m.Lacks = id.Line(), id, run.Lacks[m.Digest()]
		set[m.Name], identities[m.Name] = run.Kind(m), id.JSON()
		declared = append(declared, m)
	}
	d.identities, d.declared = identities, declared
	return set, declared
}

// mistaken reports whether an engine of this name may be a method whose declaration has mistakes.
func (d *Reader) mistaken(name string) bool {
	id, declared := d.identities[name]
	return declared && id == nil || d.mistakenMethods
}

// decodeMethod decodes one declaration; nil if it has mistakes.
func (d *Reader) decodeMethod(n *yaml.Node) *declaration.Declaration {
	if key, _ := strictyaml.Entry(n, "file"); key != nil {
		var entry methodFile
		if !d.DecodeInto(n, &entry, strictyaml.Owner{Noun: "key", Of: "a method in a file"}) {
			return nil
		}
		return d.methodOfFile(n, entry.File)
	}
	return d.declaration(n, d.File)
}

// methodOfFile reads a declaration from a file of its own; mistakes in it have their places there.
func (d *Reader) methodOfFile(node *yaml.Node, name string) *declaration.Declaration {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(d.File), path)
	}
	path = filepath.Clean(path) // resolve ".." in the text: the kernel would follow links first, while consent is given for the folder as written
	content, err := files.ReadRegular(path, reading.MaxBytes)
	if err != nil {
		d.Add(strictyaml.Find(node, "file"), "file: %v", err)
		return nil
	}
	inner := &Reader{Decoder: reading.NewDecoder(path, content, nil), Wrappers: d.Wrappers}
	root := inner.Parse(bytes.TrimPrefix(content, []byte("\ufeff")))
	var m *declaration.Declaration
	if root != nil {
		m = inner.declaration(root, path)
	}
	d.Take(&inner.Problems)
	return m
}

// declaration decodes and checks a method that is declared at a node of a file.
func (d *Reader) declaration(n *yaml.Node, file string) *declaration.Declaration {
	entry := methodEntry{Declaration: declaration.Defaults()}
	if !d.DecodeInto(n, &entry, strictyaml.Owner{Noun: "key", Of: "a method"}) {
		return nil
	}
	m := entry.Declaration
	before := d.Count
	m.File = file
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		d.Add(n, "%v", err)
	}
	m.Folder = folder
	if entry.Params != nil {
		m.Params = d.methodParams(entry.Params)
	}
	d.Report(n, m.Validate())
	if d.Count > before {
		return nil
	}
	return &m
}

// methodParams decodes parameters as names with defaults, which determine their types.
func (d *Reader) methodParams(n *yaml.Node) (params []declaration.Param) {
	if n.Kind != yaml.MappingNode {
		d.Add(n, "params: expected a mapping of names to defaults, found %s", strictyaml.Describe(n))
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, node := n.Content[i].Value, n.Content[i+1]
		if d.Wrappers.Has(name) {
			d.Add(n.Content[i], "params.%s: expected another name: %s stands beside the parameters of every engine", name, name)
		}
		var value any
		switch {
		case node.Kind == yaml.ScalarNode:
			value = d.methodDefault(node)
		case node.Kind == yaml.SequenceNode && len(node.Content) > 0:
			value = d.methodList(node)
		}
		if value == nil {
			d.Add(node, "params.%s: expected a default: a number (1.0), a whole number (1), a word, true or false, or a list that is not empty; found %s", name, strictyaml.Describe(node))
			continue
		}
		params = append(params, declaration.Param{Name: name, Default: value})
	}
	return params
}

// methodDefault returns the value of a scalar by its tag, nil if parameters cannot have that type.
func (d *Reader) methodDefault(node *yaml.Node) (value any) {
	decode := func(ptr any) bool { return node.Decode(ptr) == nil }
	switch node.Tag {
	case "!!float":
		if x := 0.0; decode(&x) {
			return x
		}
	case "!!int":
		if k := 0; decode(&k) {
			return k
		}
	case "!!bool":
		if b := false; decode(&b) {
			return b
		}
	case "!!str":
		return node.Value
	}
	return nil
}

// methodList returns a list of scalars of one type, nil if they have several.
func (d *Reader) methodList(n *yaml.Node) any {
	var numbers []float64
	var whole []int
	var words []string
	for _, node := range n.Content {
		switch x := d.methodDefault(node).(type) {
		case float64:
			numbers = append(numbers, x)
		case int:
			whole = append(whole, x)
		case string:
			words = append(words, x)
		}
	}
	switch len(n.Content) {
	case len(whole):
		return whole
	case len(words):
		return words
	case len(numbers) + len(whole): // whole numbers among fractions, as in [0.5, 1], are fractions, too
		numbers = numbers[:0]
		for _, node := range n.Content {
			x := 0.0
			if node.Decode(&x) != nil {
				return nil
			}
			numbers = append(numbers, x)
		}
		return numbers
	}
	return nil
}

// withIdentity adds the identity of the method to the canonical parameters, if the engine is a method.
func (d *Reader) withIdentity(canonical string, k engines.Kind) string {
	id, ok := d.identities[k.Name]
	if !ok {
		return canonical
	}
	return withJSON(canonical, rawObject{IdentityKey: id})
}

// checkSelectOnly reports a method that only selects features where no engine is fitted to its selection.
func (d *Reader) checkSelectOnly(node *yaml.Node, k engines.Kind) bool {
	if !slices.ContainsFunc(d.declared, func(m *declaration.Declaration) bool { return m.Name == k.Name && !m.Predicts() }) {
		return true
	}
	d.Add(node, "engine %s selects, and does not predict: expected it in select, with refit beside it (its output names neither %s nor %s)",
		k.Name, declaration.Coefficients, declaration.Predictions)
	return false
}
