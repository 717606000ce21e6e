package engines

import "context"

// Across is implemented by engines that learn one task of a family with the help of the others. A fit has three stages:
//
//  1. the donor is fitted to all rows of every task, and its models leave an artefact each,
//  2. Pool combines the artefacts of all tasks into one,
//  3. the engine that On returns is fitted, as any engine is, to the training rows of a fold of one task.
//
// The first two stages are run once for a family: all folds, and all cells with equal donors and pools, share them.
type Across interface {
	Engine
	// Donor returns the engine of the first stage, whose models are Leavers. Parameters that differ from those of the donor of the
	// engine's defaults are part of the key.
	Donor() Engine
	// Pooling returns the second stage. Its parameters, as JSON, are part of the key.
	Pooling() Pooling
	// StageRevision is part of the keys of stages: raise it when their artefacts may change.
	StageRevision() int
	// Learn decodes the pooled artefact, once for all tasks.
	Learn(pool []byte) (Learned, error)
}

// Pooling is the second stage.
type Pooling interface {
	// Pool combines the artefacts of the tasks' donors into one, for Learn.
	Pool(ctx context.Context, tasks []string, left [][]byte) (Pooled, error)
}

// Pooled is the result of the second stage.
type Pooled struct {
	Artefact []byte
	Clusters []TaskCluster // for people
}

// Learned is the decoded pool, which the third stages share. Safe for several goroutines.
type Learned interface {
	// On returns the engine for one task. It must use nothing that the pool learned from this task, since the pool has seen its test
	// rows.
	On(e Across, task string) (Engine, error)
}

// Leaver is implemented by models that leave an artefact for later stages.
type Leaver interface {
	Artefact() ([]byte, error)
}

// TaskCluster is a cluster of similar tasks.
type TaskCluster struct {
	Background bool // holds the members of no cluster
	Members    []ClusterMember
	Shared     []SharedFeature // features that most members have, most frequent first
}

// ClusterMember is an output of a task, such as a sense of a word.
type ClusterMember struct {
	Task, Output string
	Rows         int     // rows of the task with this output
	Features     int     // features it is compared by
	Nearest      float64 // similarity to the most similar member
}

// SharedFeature is a feature of some members.
type SharedFeature struct {
	Name    string
	Members int
}
