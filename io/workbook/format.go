package workbook

import (
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// format is what a format of numbers shows.
type format uint8

const (
	plain format = iota
	day          // a date, with a time or without
)

// readFormats reads what the styles of cells show.
func (b *Book) readFormats() error {
	if b.parts[b.styles] == nil {
		return nil
	}
	var sheet struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Styles []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.decode(b.styles, &sheet); err != nil {
		return err
	}
	formats := map[int]format{}
	for _, f := range sheet.Formats {
		formats[f.ID] = formatOf(f.Code)
	}
	for _, style := range sheet.Styles {
		is, ok := formats[style.Format]
		if !ok && isBuiltInDay(style.Format) {
			is = day
		}
		b.formats = append(b.formats, is)
	}
	return nil
}

// isBuiltInDay reports whether a format that needs no code is one of dates: 14 to 17 and 22, and those of East Asian languages (ECMA-376
// part 1, 18.8.30). 18 to 21 and 45 to 47 are times without a date.
func isBuiltInDay(id int) bool {
	return 14 <= id && id <= 17 || id == 22 || 27 <= id && id <= 31 || id == 36 || 50 <= id && id <= 54 || id == 57 || id == 58
}

// noSign matches what letters of a format code do not mean: texts, escaped signs, widths and fillers, colours and countries.
var noSign = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]`)

// formatOf tells what a format code shows. Hours, minutes and seconds alone are no date: such cells are numbers of days.
func formatOf(code string) format {
	code, _, _ = strings.Cut(strings.ToLower(noSign.ReplaceAllString(code, "")), ";")
	if code == "general" || code == "standard" {
		return plain
	}
	if strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !strings.ContainsAny(code, "hs") && strings.Trim(code, "m-/. ,") == "" {
		return day
	}
	return plain
}

// lastDay is 9999-12-31.
const lastDay = 2958466

// seconds returns the seconds since 1970 of a date, given in days; ok is false if it is none.
func (b *Book) seconds(days float64) (seconds float64, ok bool) {
	if b.epoch1904 {
		days += 1462
	} else if days < 60 { // 1900 was no leap year, which the numbers of days ignore
		days++
	}
	const to1970 = 25569
	return math.Round((days-to1970)*86400e3) / 1e3, days >= 1 && days < lastDay
}

// DateText writes a date, given in seconds since 1970, with the time of day where it is not midnight.
func DateText(seconds float64) string {
	whole, fraction := math.Modf(seconds)
	when := time.Unix(int64(whole), int64(math.Round(fraction*1e9))).UTC()
	if math.Mod(seconds, 86400) == 0 {
		return when.Format(time.DateOnly)
	}
	return when.Format("2006-01-02T15:04:05.999")
}

// isoDate returns the seconds since 1970 of a date that is stored as text.
func isoDate(text string) (seconds float64, ok bool) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339} { // fractions are read as well
		if when, err := time.Parse(layout, text); err == nil {
			return float64(when.UnixMilli()) / 1e3, true
		}
	}
	return 0, false
}

// NumberText writes a number: a whole one with all its digits, as far as it is exact.
func NumberText(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// readTexts reads the shared texts: runs of one text are put together, and how it is pronounced is left out.
func (b *Book) readTexts() error {
	if b.parts[b.strings] == nil {
		return nil
	}
	return b.each(b.strings, math.MaxUint64, func(d *xml.Decoder) error {
		for {
			token, err := d.Token()
			switch start, is := token.(xml.StartElement); {
			case err == io.EOF:
				return nil
			case err != nil:
				return err
			case is && start.Name.Local == "si":
				text, err := richText(d, start)
				if err != nil {
					return err
				}
				b.texts = append(b.texts, text)
			}
		}
	})
}

// richText reads the text of an element, to its end.
func richText(d *xml.Decoder, start xml.StartElement) (string, error) {
	var text strings.Builder
	for depth, in := 1, false; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "rPh" {
				if err := d.Skip(); err != nil {
					return "", err
				}
				continue
			}
			depth++
			in = t.Name.Local == "t"
		case xml.EndElement:
			depth--
			in = false
		case xml.CharData:
			if in {
				text.Write(t)
			}
		}
	}
	return unescaped(text.String()), nil
}

var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped undoes how signs are written that XML cannot have, such as _x000D_ (ECMA-376 part 1, 22.9.2.19).
func unescaped(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		sign, err := strconv.ParseUint(code[2:6], 16, 16)
		if err != nil {
			return code
		}
		return string(rune(sign))
	})
}
