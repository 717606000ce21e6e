package cli_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var listErrors = flag.Bool("errors", false, "list the error texts that no table shows")

// shownAtLeast is the share of error texts that cases have to show; it rises with them.
const shownAtLeast = 0.47

// checkErrorsShown counts the texts of errors in the packages that users reach, and those among them that stand in what the tool said.
// go test ./runner/cli -run TestErrors -v -errors lists the rest. Texts that no user meets are counted too: they tell of mistakes in
// tenfold, of a system that fails, of damage.
func checkErrorsShown(t *testing.T, said string) {
	t.Helper()
	shown, all := 0, 0
	for _, folder := range []string{"runner", "io", "engines", "reports"} {
		for _, text := range errorTexts(t, folder) {
			all++
			if text.standsIn(said) {
				shown++
			} else if *listErrors {
				t.Logf("%s: %s", text.place, text.format)
			}
		}
	}
	share := float64(shown) / float64(all)
	t.Logf("%d of %d error texts (%.0f %%) are shown in a case", shown, all, 100*share)
	if share < shownAtLeast {
		t.Errorf("%.3f of the error texts are shown in a case, expected %.3f: add cases of new ones (-errors -v lists what is missing)", share, shownAtLeast)
	}
}

// errorText is the text of an error in the source.
type errorText struct {
	place, format string
	pieces        []string // between its verbs
}

// standsIn tells whether some line of a text has the pieces in their order, with anything in the place of the verbs.
func (e errorText) standsIn(text string) bool {
	longest := slices.MaxFunc(e.pieces, func(a, b string) int { return len(a) - len(b) })
	for {
		at := strings.Index(text, longest)
		if at < 0 {
			return false
		}
		begin := strings.LastIndexByte(text[:at], '\n') + 1
		line, rest, _ := strings.Cut(text[begin:], "\n")
		if inOrder(line, e.pieces) {
			return true
		}
		text = rest
	}
}

func inOrder(line string, pieces []string) bool {
	for _, p := range pieces {
		_, rest, ok := strings.Cut(line, p)
		if !ok {
			return false
		}
		line = rest
	}
	return true
}

// makers of errors, by the position of their text: functions, and methods of readers and decoders.
var makers = map[string]int{
	"Errorf": 0, "param.Errorf": 1, "errors.New": 0, "errorf": 0, "d.add": 1, "p.add": 1, "t.add": 1, "addAt": 2, "bad": 1, "require": 2, "AtLine": 1, "ErrorAt": 1, "AtByte": 2,
}

// inner are folders of what no user reaches: helpers of tests, and code that is only for the project itself.
var inner = []string{"enginetest", "sourcetest", "browser", "testdata"}

func errorTexts(t *testing.T, folder string) (out []errorText) {
	t.Helper()
	set := token.NewFileSet()
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && slices.Contains(inner, e.Name()):
			return filepath.SkipDir
		case e.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := called(call.Fun)
			at, ok := makers[name]
			if !ok {
				at, ok = makers[name[strings.LastIndex(name, ".")+1:]]
			}
			if !ok || at >= len(call.Args) {
				return true
			}
			if format := literal(call.Args[at]); telling(format) {
				out = append(out, errorText{place: set.Position(call.Pos()).String(), format: format, pieces: piecesOf(format)})
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func called(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
		return f.Sel.Name
	}
	return ""
}

// literal is the value of a string, of several that are joined too; "" for anything else.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return literal(e.X) + literal(e.Y)
		}
	}
	return ""
}

var verb = regexp.MustCompile(`%(\[\d+\])?[-+# 0-9.]*[a-zA-Z%]`)

// telling are formats with words of their own, not only a name put before another error.
func telling(format string) bool {
	return strings.ContainsFunc(verb.ReplaceAllString(format, ""), func(r rune) bool { return r >= 'a' && r <= 'z' })
}

// piecesOf a format: what stands between the verbs of its first line.
func piecesOf(format string) []string {
	var pieces []string
	format, _, _ = strings.Cut(format, "\n")
	for _, piece := range verb.Split(strings.ReplaceAll(format, "%%", "\x00"), -1) {
		pieces = append(pieces, strings.ReplaceAll(piece, "\x00", "%"))
	}
	return pieces
}
