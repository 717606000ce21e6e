package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed formula.rb
var formulaText string

// homebrew returns the formula of a release whose archives stand at an address, with their checksums.
func homebrew(version, address string, sums map[string]string) ([]byte, error) {
	archive := func(system, machine string) (string, error) {
		name := (platform{system, machine}).archive(version)
		if sums[name] == "" {
			return "", fmt.Errorf("the formula needs %s, which -only leaves out", name)
		}
		return fmt.Sprintf("url %q\n      sha256 %q", strings.TrimSuffix(address, "/")+"/"+name, sums[name]), nil
	}
	t, err := template.New("formula.rb").Funcs(template.FuncMap{"archive": archive}).Parse(formulaText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, strings.TrimPrefix(version, "v"))
	return b.Bytes(), err
}
