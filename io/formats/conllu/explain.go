package conllu

import (
	"strings"

	"tenfold/io/formats/tuples"
)

// positions says what the ten positions are, on a sentence.
const positions = `A sentence is taken apart into the joins that build its tree, from the leaves up. A constituent is a word with the
dependents that have been joined to it. It is described by five values: the word, its tag, the word and the tag of the
dependent that was joined last, and the way of that: its relation, after > if it stands to the right of its head, after <
if to the left. A leaf is a constituent of one word: the last three values are *, since nothing was joined to it. Every word
with a head is joined to it, after all of its own dependents; a head takes its dependents to the right first, then those to
the left, the nearest of them first. The two constituents make the ten positions:

  left  right
     0      4  word
     1      5  its tag
     2      6  word of the dependent joined last
     3      7  its tag
     8      9  its way

"Sue likes old films", with Sue and films below likes and old below films, is three joins. The target relation is the way in
which the join attaches one side to the other:

`

// worked is the sentence of positions, and workedJoins its joins.
const worked = "1\tSue\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tlikes\t_\tVERB\t_\t_\t0\troot\t_\t_\n3\told\t_\tADJ\t_\t_\t4\tamod\t_\t_\n4\tfilms\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n"

const workedJoins = `  0      1      2      3      4      5      6      7      8      9       relation
  old    ADJ    *      *      films  NOUN   *      *      *      *       <amod
  likes  VERB   *      *      films  NOUN   old    ADJ    *      <amod   >obj
  Sue    PROPN  *      *      likes  VERB   films  NOUN   *      >obj    <nsubj
`

const patterns = `
A template has a character a position: 2 takes the value there (* counts as one), 1 asks for a leaf (*), 0 ignores it. Of the
second join 0200020000 makes the column with 1=VERB and 5=NOUN, and 0211020000 the one with 2=* and 3=*, too; it makes none
where the left constituent is no leaf. The templates named default:

`

// Explain says what rows and columns are.
func (Joins) Explain() string {
	var list strings.Builder
	for k, t := range tuples.DefaultTemplates() {
		list.WriteString(map[bool]string{true: "  ", false: " "}[k%7 == 0] + t + map[bool]string{true: "\n"}[k%7 == 6])
	}
	return positions + workedJoins + patterns + list.String()
}
