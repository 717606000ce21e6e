package main

import (
	_ "embed"
	"html/template"
)

// What surrounds every page. Reading needs no script: it adds the search, copying, and a switch of colours.
var (
	//go:embed layout.html
	layoutText string
	//go:embed site.css
	style []byte
	//go:embed site.js
	script []byte

	layout = template.Must(template.New("page").Parse(layoutText))
)

// trusted returns HTML that was rendered from the repository's own documents.
func trusted(body []byte) template.HTML { return template.HTML(body) }
