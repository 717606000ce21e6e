package results

import (
	"encoding/json"
	"reflect"
	"testing"

	"tenfold/engines/data"
)

// FuzzParseFacts: the short way of reading facts says what encoding/json says.
func FuzzParseFacts(f *testing.F) {
	for _, s := range []string{`[]`, `[{"name":"a","value":"b"}]`, `[{"name":"a","value":"b"},{"name":"","value":"ü ≤ 3"}]`, `[{"name":"a\"","value":"\\"}]`,
		`[{"name":"a","value":"b"}`, `[{"name":"a","value":"b"}]]`, `[{"name":"a","value":"b"},]`, `[{"name":"a\n","value":"b"}]`, `[{"name": "a","value":"b"}]`,
		`[{"name":"a\",\"value\":\"x","value":"b"}]`, `null`, `7`, "", "[{\"name\":\"a\x00\",\"value\":\"b\"}]", "[{\"name\":\"\xff\",\"value\":\"b\"}]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want []data.Fact
		wrong := json.Unmarshal(b, &want)
		got, err := parseFacts(b)
		if wrong == nil && (err != nil || !reflect.DeepEqual(got, want)) {
			t.Errorf("%q: %v %v, want %v", b, got, err, want)
		}
	})
}
