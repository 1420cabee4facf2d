//go:build fastdds

package fastdds

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"ugp_explorer/node/ros/security"
	"ugp_explorer/node/ros/sockets"
)

// Range is how far a participant looks for others, as in ROS 2's
// ROS_AUTOMATIC_DISCOVERY_RANGE.
type Range uint8

const (
	Subnet        Range = iota // all machines within reach of multicast
	Localhost                  // this machine and the static peers
	Off                        // no other participant
	SystemDefault              // as set by the library and its profile
	Loopback                   // only the interface 127.0.0.1, as ROS_LOCALHOST_ONLY=1 sets it up to Humble
)

func (r Range) String() string {
	return [...]string{"SUBNET", "LOCALHOST", "OFF", "SYSTEM_DEFAULT", "loopback only"}[r]
}

// maxDomain is the largest domain with valid UDP ports.
const maxDomain = 232

// peerRange is the number of participants per host that an announcement to a peer reaches.
const peerRange = 32

// Config sets how a participant joins the graph.
type Config struct {
	Domain      int      // 0 to maxDomain
	Range       Range    // how far to look for others
	StaticPeers []string // additional host names or IPv4 addresses to search; used with Subnet and Localhost only
	// Distro is the ROS 2 distribution of the graph ("humble"); "" detects it from other
	// participants' messages. Up to Humble, graph information has another layout.
	Distro       string
	Enclave      string // security enclave: shown to others, and looked up in the keystore
	Security     security.Settings
	Profiles     string        // Fast DDS XML file to load; "": none
	SharedMemory bool          // use the library's default transports, including shared memory, instead of UDP only
	SocketBuffer int           // buffer of UDP sockets, bytes; the kernel may grant less, see Transport.Warnings
	Lease        time.Duration // time after which others remove this participant if it is killed
}

// DefaultConfig returns domain 0 on the subnet, over UDP with 4 MB of buffer.
func DefaultConfig() Config {
	return Config{Enclave: "/", SocketBuffer: sockets.Wanted, Lease: 20 * time.Second}
}

// Validate returns an error that names each invalid field.
func (c *Config) Validate() error {
	var errs []error
	bad := func(field string, value any, want string) {
		errs = append(errs, fmt.Errorf("ros/fastdds: Config.%s is %v, want %s", field, value, want))
	}
	if c.Domain < 0 || c.Domain > maxDomain {
		bad("Domain", c.Domain, fmt.Sprintf("0 to %d", maxDomain))
	}
	if c.Range > Loopback {
		bad("Range", uint8(c.Range), "one of the constants")
	}
	if !strings.HasPrefix(c.Enclave, "/") || strings.ContainsAny(c.Enclave, ";\x00") {
		bad("Enclave", fmt.Sprintf("%q", c.Enclave), `a name that begins with "/" and has no ";"`)
	}
	if c.SocketBuffer < 1<<16 || c.SocketBuffer > 1<<30 {
		bad("SocketBuffer", c.SocketBuffer, "64 KiB to 1 GiB")
	}
	if c.Lease < 100*time.Millisecond {
		bad("Lease", c.Lease, "100ms or more")
	}
	if c.Profiles != "" {
		if err := readable(c.Profiles); err != nil {
			errs = append(errs, fmt.Errorf("ros/fastdds: Config.Profiles: %w", err))
		}
	}
	return errors.Join(errs...)
}

func readable(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return f.Close()
}

// peers returns the IPv4 addresses to announce to, separated by semicolons. An empty list
// means the library's default.
func (c *Config) peers() (string, error) {
	var list []string
	if c.Range == Localhost || c.Range == Loopback {
		list = append(list, "127.0.0.1")
	}
	for _, host := range c.StaticPeers {
		ip, err := resolve(host)
		if err != nil {
			return "", fmt.Errorf("ros/fastdds: Config.StaticPeers: %w", err)
		}
		if c.usesPeers() {
			list = append(list, ip)
		}
	}
	return strings.Join(list, ";"), nil
}

// usesPeers reports whether StaticPeers have an effect. As in ROS 2 (rcl_init, and the
// middlewares' discovery options), other ranges ignore them.
func (c *Config) usesPeers() bool { return c.Range == Subnet || c.Range == Localhost }

// resolve returns the first IPv4 address of host.
func resolve(host string) (string, error) {
	ips, err := net.LookupIP(host)
	if err != nil {
		return "", fmt.Errorf("peer %q: %w", host, err)
	}
	for _, ip := range ips {
		if v4 := ip.To4(); v4 != nil {
			return v4.String(), nil
		}
	}
	return "", fmt.Errorf("peer %q has no IPv4 address", host)
}
