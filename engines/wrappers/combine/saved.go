package combine

import (
	"encoding/json"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
)

// SavedAs is the name of this package's models in model files.
const SavedAs = "combinations"

type state struct {
	Products [][3]int32    `json:"products"` // the columns of each, as in Hit
	Weights  engines.Saved `json:"weights"`  // log-linear, on columns and products
}

// Save returns the products and the log-linear model.
func (m *Model) Save() (engines.Saved, error) {
	weights, err := m.Model.Save()
	if err != nil {
		return engines.Saved{}, err
	}
	return engines.SaveAs(SavedAs, state{m.products.factors, weights})
}

// Restore returns the Model that Save wrote.
func Restore(text json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	p, err := restoreProducts(features.Len(), s.Products)
	if err != nil {
		return nil, err
	}
	names := make([]string, p.Columns())
	for j := range names {
		names[j] = p.Name(features, j)
	}
	m, err := part(s.Weights, data.NewFeatures(names))
	if err != nil {
		return nil, err
	}
	weights, ok := m.(*softmax.Model)
	if !ok {
		return nil, fmt.Errorf("its weights are a model of kind %s, expected %s", s.Weights.Kind, softmax.SavedAs)
	}
	return &Model{Model: weights, products: p, features: features}, nil
}

// restoreProducts restores the products from saved triples of columns.
func restoreProducts(columns int, products [][3]int32) (*Products, error) {
	p := newProducts(columns)
	for k, c := range products {
		two := c[0] >= 0 && c[0] <= c[1] && int(c[1]) < columns // a square has one column twice
		three := c[1] < c[2] && int(c[2]) < columns
		if !two || c[2] != -1 && !three {
			return nil, fmt.Errorf("product %d is of the columns %v: they must rise, and be among %d", k, c, columns)
		}
		p.addProduct(c)
	}
	p.sortLists()
	return p, nil
}
