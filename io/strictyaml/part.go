package strictyaml

import "gopkg.in/yaml.v3"

// Part is a value in a file that is decoded later, by who knows its type.
type Part struct {
	file  string
	lines []string
	node  *yaml.Node
}

// Parts returns the values of a mapping by their keys.
func (p *Problems) Parts(mapping *yaml.Node) map[string]Part {
	parts := map[string]Part{}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		parts[mapping.Content[i].Value] = Part{p.File, p.Lines, mapping.Content[i+1]}
	}
	return parts
}

// Decode decodes the part over the value that ptr points to, and validates that. The error is Mistakes.
func (part Part) Decode(ptr interface{ Validate() error }, what string) error {
	p := NewProblems(part.file, nil, nil)
	p.Lines = part.lines
	d := Decoder{Problems: &p}
	if d.Decode(part.node, ptr, Owner{Noun: "key", Of: what}) {
		p.AddFrom(part.node, ptr.Validate(), nil)
	}
	return p.Err()
}
