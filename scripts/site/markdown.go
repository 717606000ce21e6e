package main

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown is the dialect of the documents: GitHub's, with the few HTML tags that they use.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100))),
)

// document renders a Markdown file of the repository.
func (s *site) document(name string) error {
	content, err := fs.ReadFile(s.repository, name)
	if err != nil {
		return err
	}
	p := &page{source: name, address: s.address[name]}
	p.body, err = s.markdown(p, content, func(link string) (string, error) { return s.resolve(p, link) })
	if err != nil {
		return err
	}
	s.pages = append(s.pages, p)
	return nil
}

// markdown renders text as it stands on a page, with each link where resolve says, and adds its sections to the page; the first
// is the title of a page that has none yet.
func (s *site) markdown(p *page, content []byte, resolve func(link string) (string, error)) ([]byte, error) {
	root := markdown.Parser().Parse(text.NewReader(content), parser.WithContext(parser.NewContext(parser.WithIDs(headingIDs{}))))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var destination *[]byte
		switch n := n.(type) {
		case *ast.Link:
			destination = &n.Destination
		case *ast.Image:
			destination = &n.Destination
		}
		if !entering || destination == nil {
			return ast.WalkContinue, nil
		}
		to, err := resolve(string(*destination))
		*destination = []byte(to)
		return ast.WalkContinue, err
	})
	if err != nil {
		return nil, err
	}
	p.sections = append(p.sections, sectionsOf(root, content)...)
	if p.title == "" && len(p.sections) > 0 {
		p.title = p.sections[0].title
	}
	var b bytes.Buffer
	err = markdown.Renderer().Render(&b, content, root)
	return b.Bytes(), err
}

// headingIDs makes anchors as GitHub does: lower case, without punctuation, blanks as dashes, repeated ones numbered.
type headingIDs map[string]int

var punctuation = regexp.MustCompile(`[^\pL\pN\-_ ]`)

// Generate returns the anchor of a heading.
func (h headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	plain := regexp.MustCompile(`\]\([^)]*\)`).ReplaceAllString(string(value), "")
	id := strings.ReplaceAll(punctuation.ReplaceAllString(strings.ToLower(plain), ""), " ", "-")
	n := h[id]
	h[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put notes an anchor that the text gives itself.
func (h headingIDs) Put(value []byte) { h[string(value)]++ }

// sectionsOf cuts a document at its headings, and takes the plain text between them.
func sectionsOf(root ast.Node, content []byte) []section {
	var out []section
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			anchor, _ := id.([]byte)
			out = append(out, section{level: h.Level, anchor: string(anchor), title: plainText(n, content)})
			continue
		}
		if len(out) > 0 {
			last := &out[len(out)-1]
			last.text += plainText(n, content) + " "
		}
	}
	return out
}

// plainText returns what a reader sees of a node: words, code and cells, with blanks for breaks.
func plainText(n ast.Node, content []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(content))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			b.Write(n.Lines().Value(content))
		case *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

// blocks renders code with classes of colours, and tables in a frame that scrolls.
type blocks struct{}

// RegisterFuncs takes code blocks over from goldmark's own renderer.
func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	code := func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		language := ""
		if f, ok := n.(*ast.FencedCodeBlock); ok {
			language = string(f.Language(source))
		}
		marked, err := highlight(n.Lines().Value(source), language)
		if err == nil {
			_, err = w.Write(marked)
		}
		return ast.WalkSkipChildren, err
	}
	r.Register(ast.KindFencedCodeBlock, code)
	r.Register(ast.KindCodeBlock, code)
}

var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))

// highlight marks code of a language, or of a file of that name; what nobody knows stays plain.
func highlight(code []byte, language string) ([]byte, error) {
	lexer := lexers.Get(language)
	if lexer == nil {
		lexer = lexers.Match(language)
	}
	if lexer == nil {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, string(code))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(`<div class="code"><pre tabindex="0"><code>`)
	if err := formatter.Format(&b, styles.Fallback, tokens); err != nil {
		return nil, err
	}
	b.WriteString("</code></pre></div>\n")
	return b.Bytes(), nil
}

func escape(s string) string { return html.EscapeString(s) }
