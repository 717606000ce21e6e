// Package units defines what stays together when training rows are split: rows, groups, or sequences.
package units

import (
	"tenfold/engines"
	"tenfold/engines/data"
)

// Of returns the units of the training rows, as the folds define them: each unit's rows, rising, in the order of their first ones.
func Of(run engines.Run) [][]int32 {
	v := run.Train
	unitOf := data.Numbers(v.Len())
	switch groups, starts := v.Groups(), v.Starts(); {
	case run.Inner.By && groups != nil:
		copy(unitOf, groups.Of)
	case starts != nil:
		for k, from := range starts {
			for i := from; int(i) < len(unitOf) && (k+1 == len(starts) || i < starts[k+1]); i++ {
				unitOf[i] = int32(k)
			}
		}
	}
	number := map[int32]int{}
	var units [][]int32
	for i, g := range unitOf {
		u, ok := number[g]
		if !ok {
			u = len(units)
			number[g] = u
			units = append(units, nil)
		}
		units[u] = append(units[u], int32(i))
	}
	return units
}

// Strata returns the numbers of the units of each level of the only target, a class, and last of those without one; all units
// together if there is no such target. A unit belongs to its most frequent level, on ties the first.
func Strata(v *data.View, units [][]int32) [][]int32 {
	if v.Targets() != 1 || v.TargetInfo(0).Type != data.Class {
		return [][]int32{data.Numbers(len(units))}
	}
	level := make([]int, v.Len())
	for i := range level {
		level[i] = -1
	}
	targetRows, y := v.Target(0)
	for k, value := range y {
		i := k
		if targetRows != nil {
			i = int(targetRows[k])
		}
		level[i] = int(value)
	}
	strata := make([][]int32, len(v.TargetInfo(0).Levels)+1)
	for u, rows := range units {
		c := commonest(rows, level, len(strata)-1)
		strata[c] = append(strata[c], int32(u))
	}
	return strata
}

// commonest returns the most frequent level of some rows, on ties the first; none if no row has one.
func commonest(rows []int32, level []int, none int) int {
	count := make([]int, none)
	for _, i := range rows {
		if level[i] >= 0 {
			count[level[i]]++
		}
	}
	best := none
	for c, n := range count {
		if n > 0 && (best == none || n > count[best]) {
			best = c
		}
	}
	return best
}
