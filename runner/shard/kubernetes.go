package shard

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Kubernetes holds what a manifest needs besides the plan.
type Kubernetes struct {
	Name   string // of the job
	Image  string // with the tool as its command, or on its path
	Claim  string // persistent volume claim that all pods can write, with the run's folder, the data and the cache
	Mount  string // mount point; the folders of the plan are below it
	CPUs   int    // of a pod
	AtOnce int    // pods at the same time; 0 for all
}

var notInNames = regexp.MustCompile(`[^a-z0-9-]+`)

// jobName returns the name as Kubernetes allows it (RFC 1123): lower case, digits and dashes, at most 63.
func (k Kubernetes) jobName() string {
	name := notInNames.ReplaceAllString(strings.ToLower(k.Name), "-")
	return strings.Trim(name[:min(63, len(name))], "-")
}

// Manifest writes an Indexed Job (batch/v1, Kubernetes 1.24 or newer): pod i runs shard i. All pods ask for what the
// largest shard needs. A pod that is lost is started again and skips what is stored.
func (p *Plan) Manifest(w io.Writer, path string, k Kubernetes) error {
	type object = map[string]any
	limit, memory := time.Duration(0), int64(0)
	for _, s := range p.Shards {
		limit, memory = max(limit, s.Ask.Time), max(memory, s.Ask.Memory)
	}
	atOnce := len(p.Shards)
	if k.AtOnce > 0 {
		atOnce = min(atOnce, k.AtOnce)
	}
	needs := object{"cpu": fmt.Sprint(max(1, k.CPUs)), "memory": fmt.Sprintf("%dMi", (memory+1<<20-1)>>20)}
	pod := object{
		"restartPolicy": "Never",
		"containers": []object{{
			"name": "shard", "image": k.Image,
			// The kubelet puts the index in place of the variable: no shell is needed in the image.
			"command":      []string{"tenfold", "shard", path, "$(JOB_COMPLETION_INDEX)", "--jobs", fmt.Sprint(max(1, k.CPUs))},
			"resources":    object{"requests": needs, "limits": object{"memory": needs["memory"]}},
			"volumeMounts": []object{{"name": "shared", "mountPath": k.Mount}},
		}},
		"volumes": []object{{"name": "shared", "persistentVolumeClaim": object{"claimName": k.Claim}}},
	}
	rounds := (len(p.Shards) + atOnce - 1) / atOnce
	job := object{
		"apiVersion": "batch/v1", "kind": "Job",
		"metadata": object{"name": k.jobName(), "labels": object{"app.kubernetes.io/name": "tenfold"}},
		"spec": object{
			"completionMode": "Indexed", "completions": len(p.Shards), "parallelism": atOnce,
			"backoffLimit":          3 * len(p.Shards),
			"activeDeadlineSeconds": int64((time.Duration(rounds) * limit).Seconds()),
			"template":              object{"spec": pod},
		},
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(job); err != nil {
		return err
	}
	return e.Close()
}
