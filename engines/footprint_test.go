package engines

import "testing"

// TestFootprint: fits that come one after the other need the most of each; what is beside a fit is in memory wherever its arrays lie.
func TestFootprint(t *testing.T) {
	whole, split := Footprint{Bytes: 100}, Footprint{Bytes: 80, Resident: 10, Useful: 30}
	for _, c := range []struct {
		name      string
		got, want Footprint
	}{
		{"one of them must be in memory", split.Or(whole), Footprint{Bytes: 100}},
		{"in either order", whole.Or(split), Footprint{Bytes: 100}},
		{"both can lie on disk", split.Or(Footprint{Bytes: 70, Resident: 20, Useful: 5}), Footprint{Bytes: 80, Resident: 20, Useful: 30}},
		{"beside arrays on disk", split.And(7), Footprint{Bytes: 87, Resident: 17, Useful: 30}},
		{"beside arrays in memory", whole.And(7), Footprint{Bytes: 107}},
		{"an engine that cannot tell", FootprintOf(nil, Shape{Rows: 5}), Footprint{}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
	if ones, values := (Shape{Ones: true}).EntryBytes(), (Shape{}).EntryBytes(); ones != 4 || values != 12 {
		t.Errorf("an entry of ones takes %d bytes, another %d", ones, values)
	}
}
