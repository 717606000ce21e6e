package page

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"tenfold/reports/table"
)

// Markdown writes the document for GitHub.
func Markdown(w io.Writer, d Document) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n", table.Escape(d.Title))
	if d.Lead != "" {
		fmt.Fprintf(out, "\n%s\n", table.Escape(d.Lead))
	}
	for _, s := range d.Sections {
		if len(s.Blocks) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n## %s\n", table.Escape(s.Title))
		blocks := s.Blocks
		if s.Brief != "" {
			blocks = []Block{Text(s.Brief)}
		}
		if err := writeBlocks(out, blocks); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeBlocks writes blocks as Markdown, each after an empty line.
func writeBlocks(w io.Writer, blocks []Block) error {
	for _, b := range blocks {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := b.markdown(w); err != nil {
			return err
		}
	}
	return nil
}

func (t Text) markdown(w io.Writer) error {
	_, err := fmt.Fprintln(w, table.Escape(string(t)))
	return err
}

func (l List) markdown(w io.Writer) error {
	for _, p := range l {
		if _, err := fmt.Fprintf(w, "- %s\n", table.Escape(p.Text)); err != nil {
			return err
		}
	}
	return nil
}

func (t Table) markdown(w io.Writer) error {
	if t.Title != "" {
		if _, err := fmt.Fprintf(w, "### %s\n\n", table.Escape(t.Title)); err != nil {
			return err
		}
	}
	g := *t.Grid
	if t.Most > 0 && len(g.Rows) > t.Most {
		g.Notes = append(slices.Clone(g.Notes), fmt.Sprintf("The first %d of %d rows; report.html has all.", t.Most, len(g.Rows)))
		g.Rows = g.Rows[:t.Most]
	}
	return g.Markdown(w)
}

func (f Figure) markdown(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "![%s](%s.svg)\n", table.Escape(f.Alt), f.File); err != nil || f.Caption == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", table.Escape(f.Caption))
	return err
}

func (f Facts) markdown(w io.Writer) error {
	if f.Title != "" {
		if _, err := fmt.Fprintf(w, "%s:\n\n", table.Escape(f.Title)); err != nil {
			return err
		}
	}
	for _, i := range f.Items {
		if _, err := fmt.Fprintf(w, "- %s: %s\n", table.Escape(i.Name), table.Escape(i.Value)); err != nil {
			return err
		}
	}
	return nil
}

func (c Code) markdown(w io.Writer) error {
	_, err := fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(string(c), "\n", "\n    "))
	return err
}

func (d Details) markdown(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "### %s\n", table.Escape(d.Title)); err != nil {
		return err
	}
	return writeBlocks(w, d.Blocks)
}
