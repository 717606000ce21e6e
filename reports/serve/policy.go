package serve

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// pagePolicy allows pages style, script and images from this server, and nothing else; no page may put them into a frame.
const pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// withPolicy refuses methods that change something, and requests with another Host, which a page from elsewhere makes
// after DNS rebinding.
func withPolicy(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		switch {
		case !o.isOwnHost(r.Host):
			http.Error(w, "tenfold serve does not go by this name", http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "these pages are read-only", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isOwnHost reports whether a Host header names this server. A bare address is safe, since unlike a name it cannot be
// rebound.
func (o Options) isOwnHost(host string) bool {
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
