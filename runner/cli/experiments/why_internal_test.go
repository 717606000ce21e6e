package experiments

import (
	"testing"
)

// TestShort: digests are cut, other texts are not.
func TestShort(t *testing.T) {
	t.Parallel()
	const hex = "0123456789abcdef0123456789abcdef"
	for text, want := range map[string]string{hex: hex[:20] + "…", "sha256:" + hex: "sha256:" + hex[:13] + "…", hex[:31]: hex[:31], hex + "g": hex + "g", "": ""} {
		if got := shortDigest(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
