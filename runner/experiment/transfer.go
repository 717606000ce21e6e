package experiment

import (
	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/runner/experiment/algorithm"
)

// checkAcross reports engines that learn from other tasks where the data set has no tasks, or has tasks that share rows.
func (d *decoder) checkAcross(alg algorithm.Algorithm, s Dataset, node *yaml.Node, hint string) {
	if _, ok := alg.Engine.(engines.Across); !ok || s.Family.Kind == ByFolder {
		return
	}
	if s.Family.Kind == "" {
		d.Add(node, "engine %s, as set here, learns from the other tasks of a family; data set %s is none (expected family: folder)%s", alg.Kind, s.Name, hint)
		return
	}
	d.Add(node, "engine %s, as set here, learns from the other tasks of a family; those of data set %s, %s, share rows, so that they would have seen what a task is tested on (expected family: folder)%s", alg.Kind, s.Name, s.Family.Kind, hint)
}
