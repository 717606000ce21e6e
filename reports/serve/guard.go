package serve

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// policy of pages: they take style, script and images from here, and nothing else; nobody can put them into a frame.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard refuses what a local reader does not ask for: methods that change something, and requests by a name that is not
// ours, which a page from elsewhere makes after its name was pointed at this address.
func guard(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		switch {
		case !o.ours(r.Host):
			http.Error(w, "tenfold serve does not go by this name", http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "these pages are read-only", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ours tells whether a Host header names this server. A bare address cannot be pointed elsewhere, as names can.
func (o Options) ours(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") || o.Host != "" && strings.EqualFold(host, o.Host) {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && (o.Public || address.IsLoopback())
}
