package algorithm

import "testing"

// TestPathInParams: the path is among the parameters, as it stands in the file, and changes none of the others.
func TestPathInParams(t *testing.T) {
	t.Parallel()
	if got := (Path{1}).addToParams(`{"a":"<x>","z":1.50}`); got != `{"a":"<x>","path.at":[1],"z":1.50}` {
		t.Errorf("among parameters: %s", got)
	}
}
