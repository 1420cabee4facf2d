//go:build fastdds

package fastdds_test

import (
	"os"
	"testing"

	"ugp_explorer/internal/testkit/conformance"
	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
)

// Between participants of one process, the library calls the other side.
func TestConformance(t *testing.T) {
	t.Parallel()
	apart := 41 + 2*(os.Getpid()%5) // a domain where no other tests are
	if os.Getenv("FASTRTPS_DEFAULT_PROFILES_FILE") != "" {
		apart++ // these run beside those of the process that started them
	}
	open := func(t *testing.T) func() ros.Transport {
		return func() ros.Transport {
			return join(t, func(c *fastdds.Config) { c.Domain = apart })
		}
	}
	conformance.Run(t, open, nil)
	conformance.Actions(t, open)
}

// noShortcut has Fast DDS send over UDP what stays in the process.
const noShortcut = `<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles">
  <library_settings><intraprocess_delivery>OFF</intraprocess_delivery></library_settings>
</dds>`

// The suite over UDP. What sends so is a setting of the process, so it runs in one
// of its own, which finds it by FASTRTPS_DEFAULT_PROFILES_FILE.
func TestConformanceOverUDP(t *testing.T) {
	t.Parallel()
	cmd := killtest.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConformance$", "-test.v")
	cmd.Env = append(os.Environ(), "FASTRTPS_DEFAULT_PROFILES_FILE="+profiles(t, noShortcut))
	out, err := cmd.CombinedOutput()
	if err != nil || !has(string(out), "--- PASS: TestConformance") {
		t.Fatalf("%v\n%s", err, out)
	}
}
