package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// Limits of what a clustering shows; clusters.parquet has the rest.
const (
	mostClusters = 30
	mostMembers  = 12 // of a cluster
)

const (
	membersLegend = "members: task/output, with the rows of the task that have the output."
	nearestLegend = "nearest: the mean over the members of the similarity to the one most like each."
	sharedLegend  = "shared: features that several members have, with how many do."
	clusterNote   = "Clustered are all rows of all tasks. A fit knows its own task by the training rows alone, so for it the task's outputs can be elsewhere."
)

// clusterBlocks shows the clusters that algorithms found among the outputs of a family's tasks, such as the senses of words.
func clusterBlocks(clusterings []results.Clustering) []page.Block {
	var blocks []page.Block
	for i, c := range clusterings {
		others := slices.Delete(slices.Clone(clusterings), i, i+1)
		name := c.Dataset + ", " + c.Algorithm + distinguish(c, others)
		blocks = append(blocks, page.Text(name+": "+summariseClusters(c)))
		if g := clusterTable(c); len(g.Rows) > 0 {
			g.Title = name + ": " + digits.Count(len(foregroundClusters(c)), "cluster")
			blocks = append(blocks, page.Table{Grid: g})
		}
	}
	dropRepeatedLegends(blocks)
	if len(blocks) > 0 {
		blocks = append(blocks, page.Text(clusterNote))
	}
	return blocks
}

// distinguish distinguishes a clustering from others of the same data set and algorithm: by the parameters that all of them have
// and in which they differ, and by its key if these are not enough. It returns "" if there are no others.
func distinguish(c results.Clustering, others []results.Clustering) string {
	var alike []map[string]json.RawMessage
	for _, o := range others {
		if o.Dataset == c.Dataset && o.Algorithm == c.Algorithm {
			alike = append(alike, paramsOf(o))
		}
	}
	params := paramsOf(c)
	var shown []string
	for _, key := range slices.Sorted(maps.Keys(params)) {
		everywhere := !slices.ContainsFunc(alike, func(o map[string]json.RawMessage) bool { return o[key] == nil })
		differs := slices.ContainsFunc(alike, func(o map[string]json.RawMessage) bool { return string(o[key]) != string(params[key]) })
		if everywhere && differs {
			shown = append(shown, key)
		}
	}
	text := ""
	for _, key := range shown {
		text += " " + key + "=" + strings.Trim(string(params[key]), `"`)
	}
	if slices.ContainsFunc(alike, func(o map[string]json.RawMessage) bool {
		return !slices.ContainsFunc(shown, func(key string) bool { return string(o[key]) != string(params[key]) })
	}) {
		text += " (" + cells.ShortKey(c.Cell) + ")"
	}
	return text
}

// paramsOf returns the parameters of a clustering as JSON, nil if they cannot be read.
func paramsOf(c results.Clustering) map[string]json.RawMessage {
	var params map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Params), &params) != nil {
		return nil
	}
	return params
}

// foregroundClusters returns the clusters without the background: the largest first, on ties the most cohesive.
func foregroundClusters(c results.Clustering) []results.Cluster {
	out := slices.DeleteFunc(slices.Clone(c.Clusters), func(k results.Cluster) bool { return k.Number == results.Background })
	slices.SortStableFunc(out, func(a, b results.Cluster) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(meanNearest(b), meanNearest(a)))
	})
	return out
}

// meanNearest returns the mean over a cluster's members of the similarity to the one most similar to each.
func meanNearest(k results.Cluster) float64 {
	sum := 0.0
	for _, m := range k.Members {
		sum += m.Nearest
	}
	return sum / float64(len(k.Members))
}

// summariseClusters counts outputs, tasks, clusters and the share of the background, in a sentence.
func summariseClusters(c results.Clustering) string {
	tasks := map[string]bool{}
	all, background := 0, 0
	for _, k := range c.Clusters {
		for _, m := range k.Members {
			tasks[m.Task] = true
		}
		all += len(k.Members)
		if k.Number == results.Background {
			background += len(k.Members)
		}
	}
	return fmt.Sprintf("%s of %s, %d of them in %s, %d (%.0f %%) in the background.", digits.Count(all, "output"), digits.Count(len(tasks), "task"),
		all-background, digits.Count(len(foregroundClusters(c)), "cluster"), background, 100*float64(background)/float64(max(1, all)))
}

// clusterTable returns a table with a row for each of the first mostClusters clusters.
func clusterTable(c results.Clustering) *table.Grid {
	g := &table.Grid{Corner: "cluster", Columns: []string{"size", "members", "nearest", "shared"}, Legend: []string{membersLegend, nearestLegend, sharedLegend}, Detail: true, Facts: true}
	clusters := foregroundClusters(c)
	for _, k := range clusters[:min(mostClusters, len(clusters))] {
		members := make([]string, len(k.Members))
		for i, m := range k.Members {
			members[i] = fmt.Sprintf("%s/%s (%d)", m.Task, m.Output, m.Rows)
		}
		if more := len(members) - mostMembers; more > 0 {
			members = append(members[:mostMembers], andMore(more))
		}
		g.Rows = append(g.Rows, textRow(strconv.Itoa(int(k.Number)), []string{
			strconv.Itoa(len(k.Members)), strings.Join(members, ", "), digits.Format("%.3f", meanNearest(k)), cmp.Or(k.Shared, digits.Missing),
		}))
	}
	if len(clusters) > mostClusters {
		g.Notes = []string{fmt.Sprintf("The first %d of %d clusters; %s has all.", mostClusters, len(clusters), results.ClustersFile)}
	}
	return g
}
