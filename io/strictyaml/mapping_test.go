package strictyaml

import (
	"errors"
	"strings"
	"testing"
)

// TestMapping: errors about a setting stand at its key or at its value.
func TestMapping(t *testing.T) {
	t.Parallel()
	m, err := ReadMapping("t.yaml", []byte("# first\njobs: 3\n\nda-ta: [a, b]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	err = m.Each(func(key string) (bool, error) {
		keys = append(keys, key)
		return key == "jobs", errors.New("bad " + key)
	})
	if want := "t.yaml:2:7: bad jobs\n    jobs: 3\n          ^\nt.yaml:4:1: bad da-ta\n    da-ta: [a, b]\n    ^"; err == nil || err.Error() != want || len(keys) != 2 {
		t.Errorf("of %q:\n%v\nwant\n%s", keys, err, want)
	}
	for text, want := range map[string]string{"": "", "# nothing\n": "", "- a\n": "expected a mapping such as jobs: 4, found a list", "a: 1\na: 2\n": `key "a" appears twice`} {
		m, err := ReadMapping("t.yaml", []byte(text))
		if want == "" {
			err = errors.Join(err, m.Each(func(string) (bool, error) { return true, errors.New("there is no key") }))
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
