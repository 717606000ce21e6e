package mdl

import "context"

// search grows a selection until it is done, and tells in stop why it ended.
type search struct {
	name string
	run  func(ctx context.Context, s *selection) error
}

var searches = []search{
	{name: searchForward, run: forward},
	{name: searchMixed, run: mixed},
	{name: searchStreamwise, run: streamwise},
	{name: searchAlpha, run: alphaInvesting},
}

const (
	searchForward    = "forward"
	searchMixed      = "mixed"
	searchStreamwise = "streamwise"
	searchAlpha      = "alpha-investing"
)

func searchNames() []string {
	names := make([]string, len(searches))
	for k, s := range searches {
		names[k] = s.name
	}
	return names
}

func searchNamed(name string) search {
	for _, s := range searches {
		if s.name == name {
			return s
		}
	}
	return search{}
}

// forward adds, as long as one is worth its bits, the feature that is worth most.
// O(nnz + rows · features) a feature.
func forward(ctx context.Context, s *selection) error {
	for s.stop = s.full(); s.stop == ""; s.stop = s.full() {
		c, t, err := s.best(ctx)
		if err != nil {
			return err
		}
		if !(c.net() > s.threshold()) {
			s.stop = "no_gain"
			return nil
		}
		if err := s.take(ctx, c, t); err != nil {
			return err
		}
	}
	return nil
}
