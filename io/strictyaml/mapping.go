package strictyaml

import "gopkg.in/yaml.v3"

// Mapping is another YAML file of the program, read as strictly as experiment files, with errors of the same form.
type Mapping struct {
	*Problems
	root *yaml.Node
}

// ReadMapping parses a file whose content is a mapping, or empty.
func ReadMapping(path string, content []byte) (*Mapping, error) {
	problems := NewProblems(path, content, nil)
	m := &Mapping{Problems: &problems}
	if isEmpty(content) {
		return m, nil
	}
	if m.root = m.Parse(content); m.root != nil && m.root.Kind != yaml.MappingNode {
		m.Add(m.root, "expected a mapping such as jobs: 4, found %s", Describe(m.root))
	}
	return m, m.Err()
}

// isEmpty reports whether a file has only blanks and comments.
func isEmpty(content []byte) bool {
	var doc yaml.Node
	return yaml.Unmarshal(content, &doc) == nil && len(doc.Content) == 0
}

// Each calls f with the keys in order; an error of f gets the place of the key, or of its value if atValue is true.
func (m *Mapping) Each(f func(key string) (atValue bool, err error)) error {
	for i := 0; m.root != nil && i+1 < len(m.root.Content); i += 2 {
		key, value := m.root.Content[i], m.root.Content[i+1]
		atValue, err := f(key.Value)
		switch {
		case err == nil:
		case atValue:
			m.Add(value, "%s", err)
		default:
			m.Add(key, "%s", err)
		}
	}
	return m.Err()
}
