// Command churn writes the table of docs/tutorial.md: contracts that came up for renewal, and whether the customer left.
// Everything in it is drawn; the same flags give the same bytes.
//
//	go run ./experiments/data/churn > experiments/data/churn.csv
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"
)

func main() {
	rows := flag.Int("rows", 4800, "contracts")
	seed := flag.Uint64("seed", 9, "of the draws")
	noise := flag.Int("noise", 0, "further columns of numbers that say nothing")
	flag.Parse()
	w := bufio.NewWriter(os.Stdout)
	write(w, *rows, *noise, *seed)
	if err := w.Flush(); err != nil {
		log.Fatal("churn: ", err)
	}
}

// level is a word of a categorical column: how often it comes, and what it adds to the log odds of leaving.
type level struct {
	name        string
	often, adds float64
}

var (
	plans    = []level{{"basic", 5, 0.5}, {"plus", 3, 0}, {"pro", 2, -0.7}}
	family   = level{"family", 0, -0.4} // sold from launch on, to a quarter of the customers
	regions  = []level{{"N", 3, 0}, {"E", 2, 0.3}, {"S", 3, 0}, {"W", 2, -0.2}, {"NE", 1, 0.4}, {"NW", 1, 0}, {"SE", 1, 0}, {"SW", 1, 0}}
	channels = []level{{"web", 5, 0.2}, {"shop", 3, -0.2}, {"phone", 2, 0.4}}
	payments = []level{{"card", 4, 0.1}, {"debit", 4, -0.5}, {"bill", 2, 0.6}}
)

// Contracts run out from start on, for days days.
var start, launch = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

const days = 910

// contract is a row.
type contract struct {
	customer int
	day      int // from start
	cells    []string
	leaves   bool
}

// write draws customers with one to three contracts each, and writes these in order of date.
func write(w io.Writer, rows, noise int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x636875726e))
	all := make([]contract, 0, rows)
	for customer := 1000; len(all) < rows; customer++ {
		taste := 0.5 * r.NormFloat64() // what a customer's contracts have in common
		region, channel := draw(r, regions), draw(r, channels)
		for n := contracts(r); n > 0 && len(all) < rows; n-- {
			c := contract{customer: customer, day: r.IntN(days)}
			c.fill(r, taste, region, channel, noise)
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b contract) int { return cmp.Compare(a.day, b.day) })
	fmt.Fprint(w, "id,customer,date,plan,region,channel,payment,agent,months,fee,calls,usage,lines")
	for k := range noise {
		fmt.Fprintf(w, ",n%02d", k+1)
	}
	fmt.Fprintln(w, ",churned")
	for i, c := range all {
		fmt.Fprintf(w, "%d,%d,%s", 10001+i, c.customer, start.AddDate(0, 0, c.day).Format(time.DateOnly))
		for _, cell := range c.cells {
			fmt.Fprint(w, ",", cell)
		}
		fmt.Fprintln(w, ","+map[bool]string{true: "yes", false: "no"}[c.leaves])
	}
}

// contracts of a customer: most have one.
func contracts(r *rand.Rand) int {
	n := 1
	for n < 3 && r.IntN(4) == 0 {
		n++
	}
	return n
}

// fill draws the cells of a contract, and whether its customer leaves.
func (c *contract) fill(r *rand.Rand, taste float64, region, channel level, noise int) {
	plan, payment := draw(r, plans), draw(r, payments)
	if !start.AddDate(0, 0, c.day).Before(launch) && r.IntN(4) == 0 {
		plan = family
	}
	months := 3 + r.IntN(58)
	fee := 10 + 8*math.Abs(r.NormFloat64()) + map[string]float64{"plus": 8, "pro": 20, "family": 25}[plan.name]
	calls := 0
	for r.Float64() < 0.55 {
		calls++
	}
	usage := math.Exp(3 + 0.8*r.NormFloat64())
	agent := r.IntN(60)
	odds := -1.5 + plan.adds + region.adds + channel.adds + payment.adds + taste +
		0.95*float64(calls) - 0.045*float64(months-30) + 0.05*(fee-25) - 0.5*(math.Log(usage)-3)
	if agent%10 == 3 {
		odds += 0.5
	}
	c.leaves = r.Float64() < 1/(1+math.Exp(-odds))
	paid, used := payment.name, strconv.FormatFloat(usage, 'f', 0, 64)
	if r.IntN(12) == 0 {
		paid = ""
	}
	if r.IntN(10) == 0 {
		used = ""
	}
	c.cells = []string{plan.name, region.name, channel.name, paid, fmt.Sprintf("a%02d", agent),
		strconv.Itoa(months), strconv.FormatFloat(fee, 'f', 1, 64), strconv.Itoa(calls), used, strconv.Itoa(1 + r.IntN(3))}
	for range noise {
		c.cells = append(c.cells, strconv.FormatFloat(r.NormFloat64(), 'f', 3, 64))
	}
}

// draw a level by how often it comes.
func draw(r *rand.Rand, from []level) level {
	sum := 0.0
	for _, l := range from {
		sum += l.often
	}
	x := r.Float64() * sum
	for _, l := range from {
		if x -= l.often; x < 0 {
			return l
		}
	}
	return from[len(from)-1]
}
