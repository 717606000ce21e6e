package grid

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
)

// Distribution is that of the numbers of a range, by its key in the file.
type Distribution string

const (
	uniform    Distribution = "uniform"
	logUniform Distribution = "log"
	integer    Distribution = "integer"
	logInteger Distribution = "log-integer"
)

// OneOf is the key of a list of equally likely values; the list alone means the same.
const OneOf = "one-of"

// Distributions returns all of them.
func Distributions() []Distribution { return []Distribution{uniform, logUniform, integer, logInteger} }

// Doc returns what is drawn.
func (d Distribution) Doc() string {
	return map[Distribution]string{
		uniform:    "numbers, equally likely",
		logUniform: "numbers whose logarithms are equally likely",
		integer:    "integers, equally likely, both ends included",
		logInteger: "integers, both ends included, each as likely as the numbers from it to the next under log",
	}[d]
}

// Whole reports whether the numbers are integers.
func (d Distribution) Whole() bool { return d == integer || d == logInteger }

// Logarithmic reports whether the numbers have to be above 0.
func (d Distribution) Logarithmic() bool { return d == logUniform || d == logInteger }

// Range is an interval of numbers with a distribution.
type Range struct {
	Distribution
	Low, High float64
	node      *yaml.Node // for places of messages
}

// value returns the number at which the distribution function is u, from 0 to below 1.
func (r Range) value(u float64) (x float64) {
	switch r.Distribution {
	case uniform:
		x = r.Low + float64(u*(r.High-r.Low))
	case logUniform:
		a, b := elementary.Log(r.Low), elementary.Log(r.High)
		x = elementary.Exp(a + float64(u*(b-a)))
	case integer:
		x = r.Low + math.Floor(u*(r.High-r.Low+1))
	case logInteger:
		a, b := elementary.Log(r.Low), elementary.Log(r.High+1)
		x = math.Floor(elementary.Exp(a + float64(u*(b-a))))
	}
	return min(max(x, r.Low), r.High)
}

// IsDrawn reports whether a node says what values are drawn from in a way that has no values of its own: a range, or one-of.
func IsDrawn(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
		return false
	}
	key, ends := n.Content[0].Value, n.Content[1]
	return key == OneOf || slices.Contains(Distributions(), Distribution(key)) && !(key == string(logUniform) && len(ends.Content) == 3)
}

// DrawnAxis reads what the values of one parameter are drawn from: a list, each element of it equally likely, or a range {log: [low, high]}.
// name is for messages. The values of {log: [from, to, count]} are a list.
func DrawnAxis(problems *strictyaml.Problems, name string, key, n *yaml.Node) Axis {
	axis := Axis{Key: key}
	_, among := strictyaml.Entry(n, OneOf)
	_, log := strictyaml.Entry(n, string(logUniform))
	_, linear := strictyaml.Entry(n, "linear")
	switch isDrawn := IsDrawn(n); {
	case isDrawn && among != nil:
		axis.Values = Values(problems, name, among)
	case isDrawn:
		axis.Range = readRange(problems, name, Distribution(n.Content[0].Value), n.Content[1])
	case n.Kind == yaml.MappingNode && len(n.Content) == 2 && log == nil && linear == nil:
		known := []string{OneOf}
		for _, d := range Distributions() {
			known = append(known, string(d))
		}
		problems.Add(n.Content[0], "%s: there is no distribution %q%s", name, n.Content[0].Value, suggest.Choices(n.Content[0].Value, known))
	default:
		axis.Values = Values(problems, name, n)
	}
	return axis
}

// readRange reads the two ends of a range; it reports a mistake and returns nil if they make none.
func readRange(problems *strictyaml.Problems, name string, d Distribution, ends *yaml.Node) *Range {
	r := &Range{Distribution: d, node: ends}
	number, what, other := strictyaml.Number, "finite numbers", uniform
	if r.Whole() {
		what, other = "integers", integer
		number = func(n *yaml.Node) (float64, bool) { i, ok := strictyaml.Integer(n); return float64(i), ok }
	}
	sound := ends.Kind == yaml.SequenceNode && len(ends.Content) == 2
	if sound {
		var low, high bool
		r.Low, low = number(ends.Content[0])
		r.High, high = number(ends.Content[1])
		sound = low && high && elementary.IsFinite(r.Low) && elementary.IsFinite(r.High)
	}
	switch {
	case !sound:
		problems.Add(ends, "%s: %s: expected [low, high], two %s, found %s", name, d, what, written(ends))
	case r.Low >= r.High:
		problems.Add(ends, "%s: %s: %s is not below %s: expected [low, high]; a single value stands in params", name, d, ends.Content[0].Value, ends.Content[1].Value)
	case d.Logarithmic() && r.Low <= 0:
		problems.Add(ends.Content[0], "%s: %s: %s has no logarithm: expected a low end above 0; %s draws from 0 and below", name, d, ends.Content[0].Value, other)
	default:
		return r
	}
	return nil
}

// written formats a node for messages: a list with its elements.
func written(n *yaml.Node) string {
	if n.Kind != yaml.SequenceNode {
		return strictyaml.Describe(n)
	}
	return fmt.Sprint(writtenValue(n))
}

// Uniform returns draw number i of a parameter: the first 53 bits of SHA-256("random", seed, name, i), the parts parted by bytes 0, as a
// number from 0 to below 1. Draws depend on nothing else: a parameter more or less, or another order, changes no draw of another, and the
// first draws of more are the same.
func Uniform(seed int64, name string, i int) float64 {
	sum := sha256.Sum256([]byte(strings.Join([]string{"random", strconv.FormatInt(seed, 10), name, strconv.Itoa(i)}, "\x00")))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}

// draw returns the value of an axis at a draw.
func (a Axis) draw(u float64) *yaml.Node {
	if a.Range == nil {
		return a.Values[int(u*float64(len(a.Values)))]
	}
	return NumberNode(a.Range.value(u), a.Range.node)
}

// Draw draws points, for random search (Bergstra & Bengio 2012, section 2). Points that repeat an earlier one are left out, not drawn again:
// a further draw would depend on all parameters.
func Draw(axes []Axis, seed int64, number int) (points []Point) {
	seen := map[string]bool{}
	for i := range number {
		p := make(Point, len(axes))
		for k, a := range axes {
			p[k] = Setting{a.Key, a.draw(Uniform(seed, a.Key.Value, i))}
		}
		if id := p.Identity(); !seen[id] {
			seen[id] = true
			points = append(points, p)
		}
	}
	return points
}

// Identity returns a text that points with equal values of the same parameters share.
func (p Point) Identity() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(valueIdentity(s.Value))
		b.WriteByte(0)
	}
	return b.String()
}

// Combinations returns the number of points that the values of axes make; 0 if one of them is a range, or if there are more than MaxPoints.
func Combinations(axes []Axis) int {
	n := 1
	for _, a := range axes {
		if n *= len(a.Values); n > MaxPoints {
			return 0
		}
	}
	return n
}
