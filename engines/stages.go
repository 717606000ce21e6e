package engines

import "context"

// Across is an engine that learns, on one task of a family, from the other tasks. A fit has three stages:
//
//  1. Donor is fitted to all rows of every task; its models leave an artefact,
//  2. Pool sums up what they left,
//  3. On is fitted, as any engine is, to the training rows of a fold of one task.
//
// The first two belong to the family: all folds, and all parameters that ask for the same donors and pool, share them.
type Across interface {
	Engine
	// Donor is the first stage; its models are Leavers. Of its parameters those enter keys that the donor of the engine's defaults
	// has otherwise.
	Donor() Engine
	// Pooling is the second stage, of which the parameters, as JSON, enter keys: equal ones pool alike.
	Pooling() Pooling
	// StageRevision is part of the keys of stages, too: raise it when what they leave may change.
	StageRevision() int
	// Learn makes what third stages share of the pool's artefact, once for all tasks.
	Learn(pool []byte) (Learned, error)
}

// Pooling is the second stage.
type Pooling interface {
	// Pool of what the donors of tasks left. The artefact is for Learn.
	Pool(ctx context.Context, tasks []string, left [][]byte) (Pooled, error)
}

// Pooled is what a second stage made.
type Pooled struct {
	Artefact []byte
	Clusters []TaskCluster // for people
}

// Learned is what a pool knows, for the third stages; safe for several goroutines.
type Learned interface {
	// On is the engine with the task's parameters that learns from the others. Of the task itself, whose rows the pool has seen, it
	// must use nothing.
	On(e Across, task string) (Engine, error)
}

// Leaver is a Model that leaves something for later stages.
type Leaver interface {
	Artefact() ([]byte, error)
}

// TaskCluster is tasks that are alike.
type TaskCluster struct {
	Background bool // no cluster, but what is in none
	Members    []ClusterMember
	Shared     []SharedFeature // those that most members have, most first
}

// ClusterMember is an output of a task, such as a sense of a word.
type ClusterMember struct {
	Task, Output string
	Rows         int     // of the task that have the output
	Features     int     // that it is compared by
	Nearest      float64 // similarity to the one most like it
}

// SharedFeature is a feature of some members.
type SharedFeature struct {
	Name    string
	Members int
}
