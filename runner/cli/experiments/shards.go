package experiments

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tenfold/runner/cli/app"
	"tenfold/runner/shard"
	"tenfold/runner/slurm"
)

// shardFlags says how plan divides the work for the user's own scheduler.
type shardFlags struct {
	slots int
	pods  shard.Kubernetes
}

func (d *shardFlags) register(cmd *cobra.Command) {
	cmd.Flags().IntVar(&d.slots, "shards", 0, "divide the work for so many slots that run at the same time: write RUN/shards/N.json, whose shards\nany scheduler can start with tenfold shard")
	cmd.Flags().StringVar(&d.pods.Image, "kubernetes", "", "with --shards: print the manifest of an Indexed Job with this image")
	cmd.Flags().StringVar(&d.pods.Claim, "claim", "tenfold", "with --kubernetes: the persistent volume claim that all pods mount")
	cmd.Flags().StringVar(&d.pods.Mount, "mount", "", "with --kubernetes: where it is mounted; the run's folder, the data and the cache lie below")
}

// writeShards writes a plan of shards and prints how to start them.
func (j Job) writeShards(d shardFlags) error {
	if d.slots < 1 {
		return app.Invalid(fmt.Errorf("--shards %d: expected how many run at the same time, at least 1", d.slots))
	}
	if d.pods.Image != "" && d.pods.Mount == "" {
		return app.Invalid(errors.New("--kubernetes: say with --mount where the volume is mounted"))
	}
	frozen, err := j.Freeze(j.Sections)
	if err != nil {
		return err
	}
	if err := j.Begin(frozen); err != nil {
		return err
	}
	p, err := j.basePlan(frozen)
	if err != nil {
		return err
	}
	ready, err := j.Work().Ready()
	if err != nil {
		return err
	}
	if p.Shards = shard.Pack(packingWork(ready), d.slots); len(p.Shards) == 0 {
		j.Notef("%s: nothing is left to run; tenfold run writes the results\n", j.File.Name)
		return nil
	}
	for i := range p.Shards {
		p.Shards[i].Ask = slurm.Defaults.Ask(p.Shards[i])
	}
	path, _, err := p.Write()
	if err != nil {
		return err
	}
	if d.pods.Image != "" {
		d.pods.Name, d.pods.AtOnce = "tenfold-"+j.File.Name, d.slots
		if err := p.Manifest(j.Raw, path, d.pods); err != nil {
			return err
		}
	} else {
		j.Printf("%s\n", path)
	}
	later := ""
	if n := len(j.Stages) + len(j.Todo) - len(ready); n > 0 {
		later = fmt.Sprintf("; %s build on these and are divided when they have ended", app.Pluralize(n, "fit"))
	}
	j.Notef("%s: %s in %s, numbered from 0%s. Start each with: tenfold shard %s NUMBER\nWhen they have ended, the same tenfold run as ever writes the results.\n",
		j.File.Name, app.Pluralize(len(ready), "fit"), app.Pluralize(len(p.Shards), "shard"), later, path)
	return nil
}
