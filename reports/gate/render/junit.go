package render

import (
	"cmp"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/reports/gate"
)

// The elements of a JUnit report, as far as its schemas (of Ant, and of Jenkins) agree.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Package    string          `xml:"package,attr"`
		ID         int             `xml:"id,attr"`
		Host       string          `xml:"hostname,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
		Err        string          `xml:"system-err"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    string       `xml:"time,attr"`
		Skipped *junitResult `xml:"skipped"`
		Error   *junitResult `xml:"error"`
		Failure *junitResult `xml:"failure"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes outcomes as a test report with a suite for each experiment and a case for each verdict. Regressions, and
// inconclusive verdicts that do not pass, are failures; incomplete and incomparable ones are errors; expected failures
// are skipped. A suite that fails for another reason, since nothing was measured or rules became weaker, gets a case that
// says so. Mistakes in files are errors of a suite of their own. when is the time of the check.
func JUnit(w io.Writer, outcomes []gate.Outcome, wrong strictyaml.Mistakes, when time.Time) error {
	var doc junitSuites
	for i := range outcomes {
		doc.Suites = append(doc.Suites, suiteOf(&outcomes[i], i, when))
	}
	if len(wrong) > 0 {
		s := newSuite("cannot be checked", len(outcomes), when)
		names := map[[2]string]int{}
		for _, m := range wrong {
			s.addCase(junitCase{Class: s.Name, Name: xmlText(cmp.Or(m.File, "tenfold check")), Time: "0", Error: &junitResult{Message: xmlText(m.Error()), Type: "invalid"}}, names)
		}
		doc.Suites = append(doc.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func newSuite(name string, id int, when time.Time) junitSuite {
	return junitSuite{Name: xmlText(name), Package: "tenfold", ID: id, Host: "localhost", Time: "0", Timestamp: when.UTC().Format("2006-01-02T15:04:05")}
}

func suiteOf(o *gate.Outcome, id int, when time.Time) junitSuite {
	s := newSuite(o.Experiment, id, when)
	s.Out = xmlText(fullText(o))
	for _, p := range [][2]string{{"experiment", o.Experiment}, {"verdict", string(o.Worst())}, {"counts", countsText(o)}} {
		s.Properties = append(s.Properties, junitProperty{p[0], xmlText(p[1])})
	}
	names := map[[2]string]int{}
	for i := range o.Verdicts {
		s.addCase(caseOf(&o.Verdicts[i]), names)
	}
	if o.Worst() != gate.Pass && s.Failures+s.Errors == 0 {
		s.addCase(junitCase{Class: s.Name, Name: "gate", Time: "0",
			Error: &junitResult{Message: xmlText(o.FailureReason()), Type: string(gate.Incomplete)}}, names)
	}
	return s
}

// fullText returns the whole outcome as on a terminal.
func fullText(o *gate.Outcome) string {
	var b strings.Builder
	_ = Text(&b, []gate.Outcome{*o}, true) // a Builder does not fail
	return b.String()
}

// addCase counts a case and makes its name unique in its class: several rules can cover one metric.
func (s *junitSuite) addCase(c junitCase, names map[[2]string]int) {
	key := [2]string{c.Class, c.Name}
	if names[key]++; names[key] > 1 {
		c.Name += " #" + strconv.Itoa(names[key])
	}
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func caseOf(v *gate.Verdict) junitCase {
	c := junitCase{Class: xmlText(orDash(v.Dataset)), Name: xmlText(strings.TrimSpace(v.Algorithm + " " + v.Metric)), Time: "0"}
	r := &junitResult{Message: xmlText(reasonText(v)), Type: string(v.Status), Text: xmlText(numbersText(v))}
	switch {
	case v.Status == gate.ExpectedFailure:
		r.Type = "" // the schemas know none here
		c.Skipped = r
	case !v.Fails():
	case v.Status == gate.Regression || v.Status == gate.Inconclusive:
		c.Failure = r
	default:
		c.Error = r
	}
	return c
}

// numbersText lists the numbers of a verdict, one on each line.
func numbersText(v *gate.Verdict) string {
	var lines []string
	for _, f := range []struct {
		name string
		x    float64
	}{
		{"now", v.Present.Mean}, {"standard error", v.Present.SE}, {"reference", v.Reference.Mean}, {"its standard error", v.Reference.SE},
		{"difference", v.Difference}, {"margin", v.Margin}, {"p that it is not worse", v.PWorse},
		{"p that it is worse by more than the margin", v.PWithin}, {"detectable difference", v.Detectable},
	} {
		if results.Finite(f.x) {
			lines = append(lines, f.name+": "+strconv.FormatFloat(f.x, 'g', -1, 64))
		}
	}
	return strings.Join(lines, "\n")
}

// xmlText replaces characters that XML cannot hold.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
