package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// protocol says how a number is measured, apart from data and folds. Numbers of different protocols are not compared.
type protocol struct {
	optimistic bool              // test rows took part in the fit
	imported   bool              // predictions were made elsewhere
	sizes      string            // of the models along a path; "" for metrics of one model
	dataset    map[string]string // the same for all algorithms: probes, similar columns, units (results.Label)
	metric     string            // the metric; "" for those of one definition
}

// protocolOf returns the protocol of a metric of a cell.
func protocolOf(c *cells.Cell, metric string) protocol {
	return protocol{c.Optimistic(), c.Imported(), sizesOf(metric, c.Sizes), c.Protocol, metric}
}

// recordedProtocol returns that of a metric of a recorded cell.
func recordedProtocol(metric string, d Dataset, e Entry) protocol {
	return protocol{e.Optimistic, e.Imported, sizesOf(metric, e.Sizes), d.Protocol, metric}
}

// sizesOf returns the sizes of a path if the metric is measured at all of them, so that it depends on which they are.
func sizesOf(metric, sizes string) string {
	if strings.HasPrefix(metric, results.AreaPrefix) {
		return sizes
	}
	return ""
}

// checkSameProtocol returns an error if two samples are measured by different protocols. Imported predictions may be compared with
// those of an engine, but not take the place of those that were recorded.
func checkSameProtocol(present, reference sample) error {
	now, then := present.protocol, reference.protocol
	switch {
	case now.optimistic != then.optimistic:
		return fmt.Errorf("an optimistic number (test rows took part in the fit) against an honest one: now %s, the reference %s",
			now.honestyText(), then.honestyText())
	case reference.recorded && now.imported != then.imported:
		return fmt.Errorf("imported predictions (made elsewhere) against those of a fit: now %s, the reference %s", now.makerText(), then.makerText())
	case now.sizes != then.sizes:
		return fmt.Errorf("not along the same path: sizes: now %s, the reference %s", cmp.Or(now.sizes, "none"), cmp.Or(then.sizes, "none"))
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(now.dataset)), maps.Keys(then.dataset))
	slices.Sort(names)
	var changes []string
	for _, name := range slices.Compact(names) {
		if metric, defines := strings.CutPrefix(name, results.DefinitionOf); defines && metric != now.metric {
			continue
		}
		if a, b := now.dataset[name], then.dataset[name]; a != b {
			changes = append(changes, fmt.Sprintf("%s: now %s, the reference %s", name, cmp.Or(a, "none"), cmp.Or(b, "none")))
		}
	}
	if len(changes) > 0 {
		return fmt.Errorf("not measured alike: %s", strings.Join(changes, "; "))
	}
	return nil
}

func (p protocol) honestyText() string {
	if p.optimistic {
		return "optimistic"
	}
	return "honest"
}

// makerText says where the predictions come from.
func (p protocol) makerText() string {
	if p.imported {
		return "imported"
	}
	return "fitted"
}
