package web

import (
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// rates limits how often each address may do something, and all together.
type rates struct {
	perSecond rate.Limit
	burst     int
	now       func() time.Time

	mu   sync.Mutex
	each map[string]*rate.Limiter
	all  *rate.Limiter
}

// shareOfAll is how much more all addresses together may do than one.
const shareOfAll = 4

// mostAddresses bounds the memory that addresses take.
const mostAddresses = 1024

func newRates(perSecond rate.Limit, burst int, now func() time.Time) *rates {
	return &rates{perSecond: perSecond, burst: burst, now: now, each: map[string]*rate.Limiter{}, all: rate.NewLimiter(shareOfAll*perSecond, shareOfAll*burst)}
}

// allow takes a token, if there is one for the address and one for all.
func (l *rates) allow(address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.each[address]
	if b == nil {
		if len(l.each) >= mostAddresses {
			l.forget(now)
		}
		b = rate.NewLimiter(l.perSecond, l.burst)
		l.each[address] = b
	}
	return b.AllowN(now, 1) && l.all.AllowN(now, 1)
}

// forget removes the addresses whose buckets are full again, or all if none is.
func (l *rates) forget(now time.Time) {
	for a, b := range l.each {
		if b.TokensAt(now) >= float64(l.burst) {
			delete(l.each, a)
		}
	}
	if len(l.each) >= mostAddresses {
		clear(l.each)
	}
}

// address returns that of a request's connection without its port. Those behind a proxy share
// that of the proxy.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// listener limits the number of open connections: all, and those of one address other than this
// computer's own, by which a proxy comes.
type listener struct {
	net.Listener
	most, mostEach int

	mu   sync.Mutex
	open map[string]int
	all  int
}

func limited(l net.Listener, most, mostEach int) *listener {
	return &listener{Listener: l, most: most, mostEach: mostEach, open: map[string]int{}}
}

// Accept closes connections beyond the limits at once.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		ip := net.ParseIP(host)
		l.mu.Lock()
		ok := l.all < l.most && (l.open[host] < l.mostEach || ip != nil && ip.IsLoopback())
		if ok {
			l.all++
			l.open[host]++
		}
		l.mu.Unlock()
		if ok {
			return &connection{Conn: c, gone: func() { l.gone(host) }}, nil
		}
		_ = c.Close()
	}
}

func (l *listener) gone(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.open[host]--; l.open[host] == 0 {
		delete(l.open, host)
	}
}

type connection struct {
	net.Conn
	once sync.Once
	gone func()
}

// Close closes the connection and makes room for another.
func (c *connection) Close() error {
	c.once.Do(c.gone)
	return c.Conn.Close()
}
