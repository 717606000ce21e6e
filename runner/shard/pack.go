package shard

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"time"
)

// Work is a unit to pack.
type Work struct {
	Key    string
	Time   time.Duration // predicted; 0 when unknown
	Limit  time.Duration // 0 for none
	Memory int64         // predicted bytes of the whole process
	Data   int           // number of its data: units on the same data share their preparation
}

// Shard is a list of units that one process runs one after the other.
type Shard struct {
	Units  []string      `json:"units"`
	Time   time.Duration `json:"time"`   // predicted; 0 when unknown
	Limit  time.Duration `json:"limit"`  // sum of the units' own limits; 0 for none
	Memory int64         `json:"memory"` // bytes

	Ask     Ask `json:"ask"`               // to the scheduler
	Attempt int `json:"attempt,omitempty"` // earlier submissions
}

// Ask is the resources that a shard asks a scheduler for.
type Ask struct {
	Time   time.Duration `json:"time"`
	Memory int64         `json:"memory"`
}

// Compare compares by memory, then by time.
func (a Ask) Compare(b Ask) int {
	return cmp.Or(cmp.Compare(a.Memory, b.Memory), cmp.Compare(a.Time, b.Time))
}

// Round rounds up to whole minutes and MiB, at two values per power of two: shards that ask for the same can be tasks of
// one array.
func (a Ask) Round() Ask {
	return Ask{time.Duration(roundUp(int64(a.Time), int64(time.Minute))), roundUp(a.Memory, 1<<20)}
}

func roundUp(x, unit int64) int64 {
	for step := unit; ; step *= 2 {
		switch {
		case x <= step:
			return step
		case x <= step/2*3 && step > unit:
			return step / 2 * 3
		}
	}
}

func (a Ask) String() string {
	return fmt.Sprintf("%s and %.3g GiB", a.Time, float64(a.Memory)/(1<<30))
}

// shardsPerSlot lets slots that end early take further shards. More of them even out wrong predictions, but each costs
// the start of a process.
const shardsPerSlot = 4

// Least and greatest time of packed units: below, starting processes costs more than it gains; above,
// too much is lost with a node.
const (
	minPacked = 10 * time.Second
	maxPacked = 30 * time.Minute
)

// Pack packs short units together, those on the same data first, and leaves long ones alone, for slots that run at the
// same time. Units that need much memory are not packed with those that need little. Units of unknown time count as
// equally long. The longest shards come first. O(n log n).
func Pack(work []Work, slots int) []Shard {
	work = slices.Clone(work)
	slices.SortStableFunc(work, func(a, b Work) int {
		return cmp.Or(cmp.Compare(bits.Len64(uint64(b.Memory)), bits.Len64(uint64(a.Memory))), cmp.Compare(a.Data, b.Data))
	})
	typical := meanTime(work)
	target := (typical * time.Duration(len(work))) / time.Duration(shardsPerSlot*max(1, slots))
	if anyKnown(work) {
		total := time.Duration(0)
		for _, w := range work {
			total += cmp.Or(w.Time, typical)
		}
		target = min(max(total/time.Duration(shardsPerSlot*max(1, slots)), minPacked), maxPacked)
	}
	var shards []Shard
	var open Shard
	spent, class := time.Duration(0), 0
	end := func() {
		if len(open.Units) > 0 {
			shards = append(shards, open)
		}
		open, spent = Shard{}, 0
	}
	for _, w := range work {
		takes, memory := cmp.Or(w.Time, typical), bits.Len64(uint64(w.Memory))
		if memory != class || spent+takes > target+takes/2 {
			end()
		}
		class = memory
		spent += takes
		open.add(w)
	}
	end()
	slices.SortStableFunc(shards, func(a, b Shard) int { return cmp.Compare(b.Time, a.Time) })
	return shards
}

func (s *Shard) add(w Work) {
	first := len(s.Units) == 0
	s.Units = append(s.Units, w.Key)
	s.Memory = max(s.Memory, w.Memory)
	s.Time = addKnown(first, s.Time, w.Time)
	s.Limit = addKnown(first, s.Limit, w.Limit)
}

// addKnown adds durations, of which 0 means unknown or without limit.
func addKnown(first bool, a, b time.Duration) time.Duration {
	if b == 0 || !first && a == 0 {
		return 0
	}
	return a + b
}

func anyKnown(work []Work) bool {
	return slices.ContainsFunc(work, func(w Work) bool { return w.Time > 0 })
}

// meanTime returns the mean of the known times; a second if there are none.
func meanTime(work []Work) time.Duration {
	total, n := time.Duration(0), 0
	for _, w := range work {
		if w.Time > 0 {
			total += w.Time
			n++
		}
	}
	if n == 0 {
		return time.Second
	}
	return max(total/time.Duration(n), 1)
}
