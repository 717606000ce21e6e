package draft

import "testing"

// Arrays of test rows are those whose names and shapes go with the ones of training rows; one number beside them is none.
func TestTestsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x, y []int
		want [2]string
	}{
		{[]int{5, 3}, []int{5}, [2]string{"X_test.npy", "y_test.npy"}}, {[]int{5, 3}, []int{5, 2}, [2]string{"X_test.npy", "y_test.npy"}},
		{[]int{5, 3}, nil, [2]string{}}, {[]int{5, 3}, []int{4}, [2]string{}}, {[]int{5, 4}, []int{5}, [2]string{}}, {[]int{5}, []int{5}, [2]string{}}, {nil, nil, [2]string{}},
	} {
		f := Found{columns: 3, Arrays: []Array{
			{Member: "X_train.npy", Shape: []int{40, 3}}, {Member: "y_train.npy", Shape: []int{40}}, {Member: "X_test.npy", Shape: c.x}, {Member: "y_test.npy", Shape: c.y},
		}}
		if got := f.TestsOf("X_train.npy", "y_train.npy"); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.x, c.y, got, c.want)
		}
		if got := f.TestsOf("X_test.npy", "y_test.npy"); got != [2]string{} {
			t.Errorf("of test rows themselves: %q", got)
		}
	}
}
