package main

import (
	"encoding/json"
	"path"
	"strings"
)

// searchIndex returns a script that holds the text of every section, since pages that are opened from a folder may load scripts but
// no data. Files of the repository are found by name alone.
func searchIndex(pages []*page) ([]byte, error) {
	type entry struct {
		Page    string `json:"p"` // title
		Address string `json:"a"`
		Title   string `json:"t"` // of the section, "" for a page as a whole
		Text    string `json:"x"`
	}
	index := []entry{}
	for _, p := range pages {
		if ext := path.Ext(p.source); ext != ".md" && !(ext == ".yaml" && strings.HasPrefix(p.source, galleryName+"/")) {
			index = append(index, entry{Page: p.title, Address: p.address})
			continue
		}
		for i, s := range p.sections {
			e := entry{p.title, p.address, s.title, s.text}
			if i == 0 {
				e.Title = ""
			} else {
				e.Address += "#" + s.anchor
			}
			index = append(index, e)
		}
	}
	text, err := json.Marshal(index)
	return append(append([]byte("window.searchIndex = "), text...), ';', '\n'), err
}
