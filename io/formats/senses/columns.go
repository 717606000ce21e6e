package senses

import (
	"context"
	"fmt"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/source"
)

// columns numbers features in order of first appearance, and collects rows of them. The name of a feature is its class, an
// underscore, and a value.
type columns struct {
	column  map[string]int32
	names   []string
	class   []int32
	classes []string
	size    []int // columns of each class

	number  map[string]int32 // of the classes
	row     []int32          // being made
	implied *source.Implied  // memory for all rows
	last    []int            // the row, from 1, in which each column stood last
	rows    int
	x       sparse.Builder
	name    []byte
}

func newColumns(implied *source.Implied) *columns {
	return &columns{column: map[string]int32{}, number: map[string]int32{}, implied: implied}
}

// addFeature adds a feature to the row, named by its class and the texts together; one that is there already changes
// nothing.
func (c *columns) addFeature(class string, texts ...string) {
	c.name = append(append(c.name[:0], class...), '_')
	for _, text := range texts {
		c.name = append(c.name, text...)
	}
	j, known := c.column[string(c.name)]
	if !known {
		j = c.columnOf(class, string(c.name))
	}
	if c.last[j] <= c.rows {
		c.last[j] = c.rows + 1
		c.row = append(c.row, j)
	}
}

func (c *columns) columnOf(class, name string) int32 {
	k, known := c.number[class]
	if !known {
		k = int32(len(c.classes))
		c.number[class] = k
		c.classes, c.size = append(c.classes, class), append(c.size, 0)
	}
	j := int32(len(c.names))
	c.column[name] = j
	c.names, c.class, c.last = append(c.names, name), append(c.class, k), append(c.last, 0)
	c.size[k]++
	return j
}

func (c *columns) endRow() error {
	const each = 16 // bytes of an entry, while it is read and compiled
	c.rows++
	err := c.implied.Ask(each*int64(len(c.row)), "features of instances, the last of which has %d,", len(c.row))
	if err != nil {
		return fmt.Errorf("%w; features: {groups: [...]} without bag asks for fewer", err)
	}
	err = c.x.Add(c.row, nil)
	c.row = c.row[:0]
	return err
}

// buildDataset makes the data set of the instances. Every feature that one of them has is a column.
func (c *corpus) buildDataset(ctx context.Context, target string, groups []group) (*data.Dataset, error) {
	cols := newColumns(c.implied)
	var words, documents source.Texts
	ids := make([]string, len(c.instances))
	for i := range c.instances {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one := &c.instances[i]
		for _, g := range groups {
			g.add(cols, one)
		}
		if err := cols.endRow(); err != nil {
			return nil, fmt.Errorf("instance %s: %w", one.id, err)
		}
		ids[i] = one.id
		words.Add(one.wordName())
		documents.Add(one.document)
	}
	if len(cols.names) == 0 {
		return nil, fmt.Errorf("no features: the groups that features.groups names find nothing in these data")
	}
	response, err := c.targetOf(target)
	if err != nil {
		return nil, err
	}
	return &data.Dataset{
		X:        cols.x.Matrix(len(cols.names)),
		Features: data.NewFeatures(cols.names).WithClasses(cols.class, cols.classes),
		Targets:  []data.Target{response}, IDs: ids, Groups: documents.Groups(data.Documents),
		Tasks: tasksOf(words),
		Facts: []data.Fact{{Name: "columns by class", Value: cols.describeSizes()}},
	}, nil
}

// targetOf returns the target of this name, with a value for each instance.
func (c *corpus) targetOf(name string) (data.Target, error) {
	if name == mostFrequent {
		t := data.Target{Name: name, Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1, Values: make([]float64, len(c.instances))}
		for i := range c.instances {
			if c.instances[i].most {
				t.Values[i] = 1
			}
		}
		return t, nil
	}
	var senses source.Texts
	for i := range c.instances {
		senses.Add(c.instances[i].sense)
	}
	return senses.Class(name, "")
}

// tasksOf makes a task of each word, in order.
func tasksOf(words source.Texts) *data.Tasks {
	names, place := words.Levels()
	t := &data.Tasks{Names: names, Of: make([]int32, len(words.Of))}
	for i, k := range words.Of {
		t.Of[i] = place[k]
	}
	return t
}

func (c *columns) describeSizes() string {
	each := make([]string, len(c.classes))
	for k, class := range c.classes {
		each[k] = fmt.Sprintf("%s: %d", class, c.size[k])
	}
	return strings.Join(each, ", ")
}
