package senses

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// NOAD reads texts whose words are marked with senses of the New Oxford American Dictionary:
//
//	<SimpleWsdDoc name="/written/blog/x.txt">
//	  <word text="Going" lemma="go" pos="VERB" sense="/dictionary/…/m_en_us1251252.023" break_level="SENTENCE_BREAK"/>
//	  <word text="to" break_level="SPACE_BREAK"/>
type NOAD struct {
	Options  `yaml:",inline"`
	Textless string `yaml:"textless" doc:"a <word> whose text is empty or lacking: error, skip (leave it out, with its sense if it has one, and count it)"`
}

// NOADKind is the format noad.
var NOADKind = source.Define(source.Kind{
	Name: "noad",
	Doc:  "words of texts with their senses of the New Oxford American Dictionary (SimpleWsdDoc XML), one file or many; a row is an instance of a word, a column something that stands around it",
	Cite: "Yuan et al. 2016, Semi-supervised Word Sense Disambiguation with Neural Models, section 4.1",
	Rev:  2,
}, NOAD{defaultOptions(verb), fail})

// noadGroups are of text without trees. Tags are on marked words alone, and coarse: that of the instance follows from the word.
var noadGroups = []group{
	wordGroup, {tagGroup.name, "coarse tags of the two words on each side, where these are marked", tagGroup.classes[1:], tagsAround},
	bigramGroup, morphologyGroup, nounGroup, bagGroup, topicGroup,
}

// Explain says what columns there are.
func (NOAD) Explain() string { return explainGroups(noadGroups) }

// Validate checks the options without data.
func (f NOAD) Validate() error {
	return errors.Join(f.checkOptions(noadGroups), param.OneOf("textless", f.Textless, fail, skip))
}

// Load reads the texts.
func (f NOAD) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return f.loadDataset(ctx, in, noadGroups, f.readFile)
}

// noadReader reads one text.
type noadReader struct {
	*elements
	corpus   *corpus
	skips    bool // words without text
	document string
	genre    string

	words    int // of the text so far
	sentence []token
	marked   []instance // of the sentence
}

func (f NOAD) readFile(c *corpus, content string) error {
	r := noadReader{elements: newElements(content), corpus: c, skips: f.Textless == skip}
	for inside := 0; ; {
		t, err := r.nextToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.CharData:
			return r.errorf("found the text %q, expected elements", rawtext.Beginning(strings.TrimSpace(string(t))))
		case xml.EndElement:
			inside--
		case xml.StartElement:
			switch {
			case inside == 0 && r.document == "" && t.Name.Local == "SimpleWsdDoc":
				err = r.startElement(t)
			case inside == 1 && t.Name.Local == "word":
				err = r.readWord(t)
			default:
				err = r.errorf("found <%s>, expected one <SimpleWsdDoc> with <word>s in it", t.Name.Local)
			}
			inside++
		}
		if err != nil {
			return err
		}
	}
	if r.document == "" {
		return r.errorf("found no element, expected <SimpleWsdDoc>")
	}
	return r.endSentence()
}

// mostName is the maximum length of the name of a text.
const mostName = 1 << 10

func (r *noadReader) startElement(t xml.StartElement) error {
	a, err := r.readAttributes(t, "name")
	if err != nil {
		return err
	}
	if r.document = strings.TrimPrefix(a[0], "/"); r.document == "" {
		return r.missingAttribute(t, "name")
	}
	if len(r.document) > mostName {
		return r.errorf("the name %q has %d bytes, expected at most %d: it is in the id of each row", rawtext.Beginning(r.document), len(r.document), mostName)
	}
	if folder := path.Dir(r.document); folder != "." {
		r.genre = path.Base(folder)
	}
	if err := r.corpus.checkUnique("document", r.document); err != nil {
		return r.errorf("%w", err)
	}
	return nil
}

var (
	breaks  = []string{"NO_BREAK", "SPACE_BREAK", "LINE_BREAK", "SENTENCE_BREAK", "PARAGRAPH_BREAK"}
	noadPOS = map[string]string{"VERB": verb, "NOUN": noun, "ADJ": adjective, "ADV": adverb}
)

func (r *noadReader) readWord(t xml.StartElement) error {
	a, err := r.readAttributes(t, "text", "break_level", "lemma", "pos", "sense")
	if err != nil {
		return err
	}
	text, gap, lemma, pos, meaning := a[0], a[1], a[2], a[3], a[4]
	switch {
	case text == "" && !r.skips:
		return r.errorf("<word> has no text (textless: skip leaves such words out)")
	case !slices.Contains(breaks, gap):
		return r.errorf("found the break_level %q, expected one of %s%s", gap, strings.Join(breaks, ", "), suggest.DidYouMean(gap, breaks))
	case (lemma == "") != (meaning == "") || (pos == "") != (meaning == ""):
		return r.errorf("the word %q has some of lemma, pos and sense, expected all three or none", text)
	}
	if gap == "SENTENCE_BREAK" || gap == "PARAGRAPH_BREAK" {
		if err := r.endSentence(); err != nil {
			return err
		}
	}
	r.words++ // of which ids are made, as the file has them
	if text == "" {
		r.corpus.textless++
		if meaning != "" {
			r.corpus.dropped++
		}
		return nil
	}
	r.corpus.tokens++
	if meaning != "" {
		part, known := noadPOS[pos]
		if !known {
			part = other
		}
		r.marked = append(r.marked, instance{
			id: r.document + ":" + strconv.Itoa(r.words), lemma: strings.ToLower(lemma), pos: part, sense: path.Base(meaning),
			document: r.document, genre: r.genre, place: len(r.sentence),
		})
	}
	r.sentence = append(r.sentence, token{form: strings.ToLower(text), lemma: strings.ToLower(lemma), tag: pos, head: none})
	return nil
}

// endSentence makes the instances of a sentence.
func (r *noadReader) endSentence() error {
	sentence := slices.Clone(r.sentence)
	for _, one := range r.marked {
		one.sentence = sentence
		if err := r.corpus.addInstance(one); err != nil {
			return r.errorf("%w", err)
		}
	}
	r.sentence, r.marked = r.sentence[:0], r.marked[:0]
	return nil
}
