// Command tickets writes the table of experiments/tickets.yaml: what customers wrote to a help desk, and the team that dealt with it.
// Everything in it is drawn; the same flags give the same bytes.
//
//	go run ./experiments/data/tickets > experiments/data/tickets.csv
package main

import (
	"bufio"
	"encoding/csv"
	"flag"
	"log"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// team is a class, and the words that its tickets have more often than others.
type team struct {
	name, product string // of half of its tickets
	subjects      []string
	words         []string
}

var (
	teams = []team{
		{"billing", "shop", []string{"wrong invoice", "refund", "card was charged twice", "price"},
			strings.Fields("invoice refund charged card twice amount bank receipt price discount paid euro")},
		{"delivery", "shop", []string{"where is my parcel", "late delivery", "broken box", "address"},
			strings.Fields("parcel courier late tracking address box broken arrived street door neighbour week")},
		{"login", "app", []string{"cannot log in", "password", "account locked", "code does not come"},
			strings.Fields("password login account locked code phone email reset screen error browser sign")},
		{"returns", "shop", []string{"send it back", "refund", "wrong size", "broken box"},
			strings.Fields("return size label refund wear fits colour exchange broken swap shop parcel")},
	}
	products = []string{"shop", "app", "phone"}
	usual    = strings.Fields("hello i have a question about my order and the shop since monday it is not what was said please help me thank you " +
		"with this can do no one at your team did answer yet we need an answer today because they told us so best wishes")
	greetings = []string{"question", "please help", "urgent", "my order"}
)

func main() {
	rows := flag.Int("rows", 1200, "tickets")
	seed := flag.Uint64("seed", 4, "of the draws")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	w := csv.NewWriter(out)
	r := rand.New(rand.NewPCG(*seed, 0x7469636b))
	w.Write([]string{"ticket", "subject", "body", "product", "hour", "team"}) // errors: below
	var last []string
	for k := range *rows {
		row := ticket(r)
		if last != nil && r.IntN(20) == 0 { // sent once more
			row = last
		}
		last = row
		w.Write(append([]string{"t" + strconv.Itoa(1000+k)}, row...))
	}
	w.Flush()
	if err := w.Error(); err != nil {
		log.Fatal("tickets: ", err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal("tickets: ", err)
	}
}

// ticket draws subject, body, product, hour and team.
func ticket(r *rand.Rand) []string {
	t := teams[r.IntN(len(teams))]
	subject, product := pick(r, greetings), pick(r, products)
	if r.IntN(3) > 0 {
		subject = pick(r, t.subjects)
	}
	if r.IntN(2) == 0 {
		product = t.product
	}
	var body []string
	for range 6 + r.IntN(20) {
		switch r.IntN(12) {
		case 0, 1:
			body = append(body, pick(r, t.words))
		case 2:
			body = append(body, pick(r, teams[r.IntN(len(teams))].words)) // of whichever team
		default:
			body = append(body, pick(r, usual))
		}
	}
	text := strings.Join(body, " ") + "."
	if r.IntN(40) == 0 {
		text = ""
	}
	return []string{subject, text, product, strconv.Itoa(6 + r.IntN(16)), t.name}
}

func pick(r *rand.Rand, words []string) string { return words[r.IntN(len(words))] }
