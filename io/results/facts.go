package results

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenfold/engines/data"
)

// parseTexts parses a JSON list of texts.
func parseTexts(b []byte) (list []string, err error) {
	err = json.Unmarshal(b, &list)
	return list, err
}

// parseFacts parses a JSON list of facts. In a large file most of the decoding is here, so facts without escapes, which nearly all
// are, are cut out of the text as json.Marshal wrote it.
func parseFacts(b []byte) (list []data.Fact, err error) {
	const open, between, end = `{"name":"`, `","value":"`, `"}`
	text := string(b)
	rest, whole := strings.CutPrefix(text, "[")
	for whole && !strings.Contains(text, `\`) {
		var f data.Fact
		var name, value bool
		if rest, whole = strings.CutPrefix(rest, open); !whole {
			break
		}
		f.Name, rest, name = strings.Cut(rest, between)
		f.Value, rest, value = strings.Cut(rest, end)
		if both := f.Name + f.Value; !name || !value || strings.Contains(both, `"`) || !utf8.ValidString(both) || strings.ContainsFunc(both, unicode.IsControl) {
			break
		}
		list = append(list, f)
		if rest == "]" {
			return list, nil
		}
		rest, whole = strings.CutPrefix(rest, ",")
	}
	list = nil
	err = json.Unmarshal(b, &list)
	return list, err
}
