package mdl

import "context"

// search extends a selection until it ends, and sets its stop reason.
type search struct {
	name string
	run  func(ctx context.Context, s *selection) error
}

var searches = []search{
	{name: searchForward, run: forwardSearch},
	{name: searchMixed, run: mixedSearch},
	{name: searchStreamwise, run: streamwiseSearch},
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

// forwardSearch adds the feature of most net bits, as long as they exceed the threshold. O(nnz + rows · features) a feature.
func forwardSearch(ctx context.Context, s *selection) error {
	for s.stop = s.stopReason(); s.stop == ""; s.stop = s.stopReason() {
		c, t, err := s.bestCandidate(ctx)
		if err != nil {
			return err
		}
		if !(c.netBits() > s.netThreshold()) {
			s.stop = "no_gain"
			return nil
		}
		if err := s.addFeature(ctx, c, t); err != nil {
			return err
		}
	}
	return nil
}
