package senses

import (
	"context"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Senseval2 reads instances of a word, each with a context of tagged words:
//
//	<corpus lang="en">
//	<lexelt item="serve-v">
//	<instance id="serve-v.x_1_7">
//	<answer instance="serve-v.x_1_7" senseid="SERVE10"/>
//	<context>
//	 <wf pos="TO">to</wf> <head> <wf pos="VB">serve</wf></head> <wf pos="NN">tea</wf>
//	</context>
//	</instance>
type Senseval2 struct {
	Options `yaml:",inline"`
}

// Senseval2Kind is the format senseval2.
var Senseval2Kind = source.Define(source.Kind{
	Name: "senseval2",
	Doc:  "instances of words with their senses in the markup of Senseval-2's lexical samples, one file or many; a row is an instance, a column something that stands around it",
	Cite: "Leacock, Towell & Voorhees 1993 (line); Leacock, Chodorow & Miller 1998 (hard, serve); Bruce & Wiebe 1994 (interest)",
	Rev:  2,
}, Senseval2{defaultOptions(anyPOS)})

// senseval2Groups are of text with tags but without trees.
var senseval2Groups = []group{wordGroup, tagGroup, bigramGroup, morphologyGroup, nounGroup, bagGroup}

// Explain says what columns there are.
func (Senseval2) Explain() string { return explainGroups(senseval2Groups) }

// Validate checks the options without data.
func (f Senseval2) Validate() error { return f.checkOptions(senseval2Groups) }

// Load reads the instances.
func (f Senseval2) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return f.loadDataset(ctx, in, senseval2Groups, readSenseval2)
}

// senseval2Reader reads one file.
type senseval2Reader struct {
	*elements
	corpus *corpus
	open   []string // elements

	lemma, pos string   // of the lexelt
	instance   instance // being read
	word       token    // the wf
}

// holds lists the elements that may stand in an element.
var holds = map[string][]string{
	"":       {"corpus"},
	"corpus": {"lexelt"}, "lexelt": {"instance"}, "instance": {"answer", "context"},
	"context": {"wf", "head", "compound", "s"}, "head": {"wf"}, "compound": {"wf", "head"},
}

func readSenseval2(c *corpus, content string) error {
	r := senseval2Reader{elements: newElements(content), corpus: c}
	empty := true
	for {
		t, err := r.nextToken()
		if err == io.EOF {
			break
		}
		if err == nil {
			switch t := t.(type) {
			case xml.StartElement:
				empty = false
				err = r.startElement(t)
			case xml.CharData:
				err = r.readText(string(t))
			case xml.EndElement:
				err = r.endElement()
			}
		}
		if err != nil {
			return err
		}
	}
	if empty {
		return r.errorf("found no element, expected <corpus>")
	}
	return nil
}

// innermost returns the innermost element that is open.
func (r *senseval2Reader) innermost() string {
	if len(r.open) == 0 {
		return ""
	}
	return r.open[len(r.open)-1]
}

func (r *senseval2Reader) startElement(t xml.StartElement) error {
	name := t.Name.Local
	if !slices.Contains(holds[r.innermost()], name) {
		return r.errorf("found <%s> in <%s>, expected %s", name, r.innermost(), strings.Join(holds[r.innermost()], ", "))
	}
	r.open = append(r.open, name)
	switch name {
	case "lexelt":
		return r.startLexelt(t)
	case "instance":
		return r.startInstance(t)
	case "answer":
		return r.readAnswer(t)
	case "head":
		return r.markHead()
	case "wf":
		return r.startWF(t)
	}
	return nil
}

// startLexelt begins a word that instances are of, such as serve-v.
func (r *senseval2Reader) startLexelt(t xml.StartElement) error {
	a, err := r.readAttributes(t, "item")
	if err != nil {
		return err
	}
	end := strings.LastIndexAny(a[0], "-.")
	if end < 1 || !slices.Contains([]string{verb, noun, adjective, adverb}, a[0][end+1:]) {
		return r.errorf("found the item %q, expected a word and its part of speech v, n, a or r, such as serve-v", a[0])
	}
	r.lemma, r.pos = strings.ToLower(a[0][:end]), a[0][end+1:]
	return nil
}

func (r *senseval2Reader) startInstance(t xml.StartElement) error {
	a, err := r.readAttributes(t, "id", "docsrc")
	if err == nil && a[0] == "" {
		err = r.missingAttribute(t, "id")
	}
	if err == nil {
		r.instance = instance{id: a[0], lemma: r.lemma, pos: r.pos, document: documentOf(a[0]), place: none}
	}
	return err
}

// documentOf returns the document of an instance: its id without the colons at its end and without the number that follows the last _ or :.
func documentOf(id string) string {
	id = strings.TrimRight(id, ":")
	name := strings.TrimRight(id, "0123456789")
	if document := strings.TrimRight(name, "_:"); name != id && document != name && document != "" {
		return document
	}
	return id
}

func (r *senseval2Reader) readAnswer(t xml.StartElement) error {
	a, err := r.readAttributes(t, "instance", "senseid")
	switch {
	case err != nil:
		return err
	case a[0] != r.instance.id:
		return r.errorf("found an answer to %q in the instance %s", a[0], r.instance.id)
	case a[1] == "":
		return r.missingAttribute(t, "senseid")
	case r.instance.sense != "":
		return r.errorf("the instance %s has a second answer, expected one", r.instance.id)
	}
	r.instance.sense = a[1]
	return nil
}

// markHead notes the position of the instance in its context.
func (r *senseval2Reader) markHead() error {
	if r.instance.place != none {
		return r.errorf("the instance %s has a second <head>, expected one", r.instance.id)
	}
	r.instance.place = len(r.instance.sentence)
	return nil
}

func (r *senseval2Reader) startWF(t xml.StartElement) error {
	a, err := r.readAttributes(t, "pos")
	if err == nil && a[0] == "" {
		err = r.missingAttribute(t, "pos")
	}
	if err == nil {
		r.word = token{tag: a[0], head: none}
	}
	return err
}

// readText reads a word within <wf>. Contexts have pieces of text without a tag, which are passed over; elsewhere text is a
// mistake.
func (r *senseval2Reader) readText(text string) error {
	switch r.innermost() {
	case "wf":
		r.word.form += strings.ToLower(strings.TrimSpace(text))
	case "context":
		r.corpus.untagged++
	default:
		return r.errorf("found the text %q in <%s>, expected elements", rawtext.Beginning(strings.TrimSpace(text)), r.innermost())
	}
	return nil
}

// endElement ends the innermost element.
func (r *senseval2Reader) endElement() error {
	name, one := r.innermost(), &r.instance
	r.open = r.open[:len(r.open)-1]
	switch {
	case name == "wf" && r.word.form == "":
		return r.errorf("found no word in <wf>")
	case name == "wf":
		one.sentence = append(one.sentence, r.word)
		r.corpus.tokens++
	case name == "head" && len(one.sentence) != one.place+1:
		return r.errorf("the <head> of the instance %s has %d words, expected one", one.id, len(one.sentence)-one.place)
	case name == "instance":
		return r.addInstance()
	}
	return nil
}

func (r *senseval2Reader) addInstance() error {
	switch one := r.instance; {
	case one.sense == "":
		return r.errorf("the instance %s has no <answer>", one.id)
	case one.place == none:
		return r.errorf("the instance %s has no <head>", one.id)
	default:
		if err := r.corpus.addInstance(one); err != nil {
			return r.errorf("%w", err)
		}
		return nil
	}
}
