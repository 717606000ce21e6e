package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tenfold/engines"
	"tenfold/io/results"
)

// storeArtefact stores the artefact of a stage's model for the units that build on it. It is neither scored nor shown.
func storeArtefact(o *results.Outcome, model engines.Model) error {
	l, ok := model.(engines.Leaver)
	if !ok {
		return errors.New("the engine's model leaves nothing for the units that build on it")
	}
	var err error
	o.Path, o.Scores = nil, nil
	o.Artefact, err = l.Artefact()
	return err
}

// maxSharedNames limits how many features of a cluster are named.
const maxSharedNames = 8

// runPool runs a stage that combines the artefacts of others.
func runPool(ctx context.Context, u *Unit, store Store, o *results.Outcome) error {
	limited, stop := u.withTimeLimit(ctx)
	defer stop()
	start := time.Now()
	made, err := u.Pool(limited, outcomesBefore(u, store.Get))
	o.SecondsFit = time.Since(start).Seconds()
	if err != nil {
		return contextCause(limited, err)
	}
	o.Artefact = made.Artefact
	number := int32(0)
	for _, c := range made.Clusters {
		k := results.Cluster{Number: results.Background}
		if !c.Background {
			k.Number = number
			number++
		}
		var shared []string
		for _, f := range c.Shared[:min(maxSharedNames, len(c.Shared))] {
			shared = append(shared, fmt.Sprintf("%s (%d)", f.Name, f.Members))
		}
		k.Shared = strings.Join(shared, ", ")
		for _, m := range c.Members {
			k.Members = append(k.Members, results.Member{
				Task: m.Task, Output: m.Output, Rows: int32(m.Rows), Features: int32(m.Features), Nearest: m.Nearest,
			})
		}
		o.Clusters = append(o.Clusters, k)
	}
	return nil
}
