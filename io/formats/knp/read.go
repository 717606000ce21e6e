package knp

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tenfold/io/rawtext"
)

// The format, line by line:
//
//	# S-ID:wiki00010002-01 ...        a sentence begins; other lines with # before it are comments
//	* 3D ...                          a bunsetsu and its head, -1 for none; D, P, I or A
//	+ 4D <...>                        a basic phrase of it, checked and passed over; there may be none
//	surface reading lemma pos N subpos N conjtype N conjform N ...
//	EOS                               the sentence ends

// reader reads one file. Its lines are those of one sentence.
type reader struct {
	*corpus
	*rawtext.Lines
	document int32
	part     int8

	id      string // of the sentence being read, "" between sentences
	content []morpheme
	phrases []phrase // bunsetsu
	basic   []phrase
	text    []byte
}

// phrase is a unit that a line with * or + begins: a bunsetsu or a basic phrase.
type phrase struct {
	head, line int
	kind       byte
	from       int // its first morpheme
}

// morpheme is the fields that templates can look at.
type morpheme [len(fieldNames)][]byte

// The fields of a morpheme: names in templates, and where they are in a line.
var (
	fieldNames  = [...]string{"surface", "reading", "lemma", "pos", "subpos", "conjtype", "conjform"}
	fieldPlaces = [...]int{0, 1, 2, 3, 5, 7, 9}
)

const (
	surface = 0
	lemma   = 2
	pos     = 3
	subpos  = 4

	fieldCount = 11 // without the last, meaning, which may be missing or hold blanks
)

// readDocument reads one document.
func (c *corpus) readDocument(document string, part int8, content []byte) error {
	if err := c.checkUnique("document", document); err != nil {
		return err
	}
	text, err := rawtext.DecodeMember(content, "")
	if err != nil {
		return err
	}
	c.implied.Spell(int64(len(text)))
	r := reader{corpus: c, Lines: rawtext.LinesOf(text, ""), document: int32(len(c.documents)), part: part}
	c.documents = append(c.documents, document)
	for r.Next() {
		if err := r.readLine(r.Line); err != nil {
			return err
		}
	}
	if r.id != "" {
		return r.Errorf("the file ends in sentence %s, expected EOS", r.id)
	}
	return nil
}

// checkUnique refuses a name that was there before.
func (c *corpus) checkUnique(what, name string) error {
	key := what + " " + name
	if c.known[key] {
		return fmt.Errorf("%s stands twice in the corpus", key)
	}
	c.known[key] = true
	return nil
}

func (r *reader) readLine(line []byte) error {
	id, begins := bytes.CutPrefix(line, []byte("# S-ID:"))
	switch {
	case begins && r.id != "":
		return r.Errorf("found the next sentence, expected EOS at the end of sentence %s", r.id)
	case begins:
		return r.beginSentence(id)
	case r.id == "" && (len(line) == 0 || line[0] == '#'):
		return nil
	case r.id == "":
		return r.Errorf("found %q, expected # S-ID: and the name of a sentence", rawtext.Beginning(line))
	case string(line) == "EOS":
		return r.endSentence()
	case bytes.HasPrefix(line, []byte("* ")) && !isMorpheme(line):
		return r.readPhrase(&r.phrases, line)
	case bytes.HasPrefix(line, []byte("+ ")) && !isMorpheme(line):
		if len(r.phrases) == 0 {
			return r.Errorf("found a basic phrase (+) before the first bunsetsu (*)")
		}
		return r.readPhrase(&r.basic, line)
	}
	return r.readMorpheme(line)
}

// isMorpheme tells a morpheme whose text is * or + from the beginning of a phrase.
func isMorpheme(line []byte) bool {
	_, ok := splitMorpheme(line)
	return ok
}

func (r *reader) beginSentence(rest []byte) error {
	name, _, _ := strings.Cut(string(rest), " ")
	if name == "" {
		return r.Errorf("found no name after # S-ID:")
	}
	if err := r.checkUnique("sentence", name); err != nil {
		return r.Errorf("%w", err)
	}
	r.id, r.content, r.phrases, r.basic, r.text = name, r.content[:0], r.phrases[:0], r.basic[:0], r.text[:0]
	return nil
}

// readPhrase reads the beginning of a bunsetsu or basic phrase, such as * 3D.
func (r *reader) readPhrase(list *[]phrase, line []byte) error {
	head, _, _ := bytes.Cut(line[2:], []byte{' '})
	if len(head) > 1 {
		n, err := strconv.Atoi(string(head[:len(head)-1]))
		if letter := head[len(head)-1]; err == nil && n >= none && strings.IndexByte(types, letter) >= 0 {
			*list = append(*list, phrase{head: n, line: r.Number, kind: letter, from: len(r.content)})
			return nil
		}
	}
	return r.Errorf("found %q, expected %c and the number of the head, -1 for none, with its type D, P, I or A, as in %[2]c 3D", rawtext.Beginning(line), line[0])
}

func (r *reader) readMorpheme(line []byte) error {
	m, ok := splitMorpheme(line)
	if !ok {
		return r.Errorf("found %q, expected a morpheme: surface reading lemma pos N subpos N conjtype N conjform N, with one blank between", rawtext.Beginning(line))
	}
	if len(r.phrases) == 0 {
		return r.Errorf("found a morpheme before the first bunsetsu (*)")
	}
	r.content = append(r.content, m)
	r.text = append(append(r.text, m[surface]...), ' ')
	return nil
}

func splitMorpheme(line []byte) (m morpheme, ok bool) {
	for k, field := 0, 0; field < fieldCount; field++ {
		text, rest, more := bytes.Cut(line, []byte{' '})
		if len(text) == 0 || !more && field < fieldCount-1 {
			return m, false
		}
		line = rest
		if k < len(fieldPlaces) && fieldPlaces[k] == field {
			m[k] = text
			k++
		} else if !isNumber(text) {
			return m, false
		}
	}
	return m, true
}

func isNumber(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// endSentence checks the sentence and adds it to the corpus.
func (r *reader) endSentence() error {
	if len(r.phrases) == 0 {
		return r.Errorf("sentence %s has no bunsetsu (*)", r.id)
	}
	if err := errors.Join(r.notEmpty("bunsetsu", r.phrases), r.notEmpty("basic phrase", r.basic)); err != nil {
		return err
	}
	for _, p := range r.basic {
		if p.head >= len(r.basic) {
			return rawtext.AtLine(p.line, "found the head %d, but sentence %s has %d basic phrases, numbered from 0", p.head, r.id, len(r.basic))
		}
	}
	s := sentence{id: r.id, text: string(r.text), document: r.document, part: r.part, from: int32(len(r.bunsetsu))}
	for k, p := range r.phrases {
		if p.head >= len(r.phrases) {
			if !r.lenient {
				return rawtext.AtLine(p.line, "found the head %d, but sentence %s has %d bunsetsu, numbered from 0; heads: lenient takes it for none",
					p.head, r.id, len(r.phrases))
			}
			p.head = none
			r.outside++
		}
		to := len(r.content)
		if k+1 < len(r.phrases) {
			to = r.phrases[k+1].from
		}
		r.types[strings.IndexByte(types, p.kind)]++
		r.bunsetsu = append(r.bunsetsu, r.makeBunsetsu(p.head, r.content[p.from:to]))
	}
	s.to = int32(len(r.bunsetsu))
	r.sentences = append(r.sentences, s)
	r.morphemes += len(r.content)
	r.id = ""
	return nil
}

// notEmpty refuses phrases without morphemes.
func (r *reader) notEmpty(what string, list []phrase) error {
	for k, p := range list {
		to := len(r.content)
		if k+1 < len(list) {
			to = list[k+1].from
		}
		if p.from == to {
			return rawtext.AtLine(p.line, "the %s has no morphemes", what)
		}
	}
	return nil
}
