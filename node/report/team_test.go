package report

import (
	"bytes"
	"strings"
	"testing"
)

// Samples of other robots are counted, listed and drawn apart from the robot's own; a
// mission without any is silent about them.
func TestTeamOnThePage(t *testing.T) {
	m, maps, tracks := syntheticMission(8, 30, 50)
	alone := string(pageOf(t, m, maps, tracks))
	if strings.Contains(alone, "other robots") || strings.Contains(alone, "another robot") {
		t.Error("a robot alone has samples of others")
	}
	before, err := pictures(m, maps, tracks)[0].draw()
	if err != nil {
		t.Fatal(err)
	}
	for i, robot := range []string{"/b/ugp_explorer", "/a/ugp_explorer", "/b/ugp_explorer"} {
		o := m.Observations[i]
		o.Belief.X += 30
		m.Team = append(m.Team, TeamSample{Robot: robot, Observation: o})
	}
	m.Recommendation.AfterTeam = 3
	page := string(pageOf(t, m, maps, tracks))
	for _, want := range []string{"1 of /a/ugp_explorer, 2 of /b/ugp_explorer", "after 8 samples and 3 of other robots", ">/b/ugp_explorer</t"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	after, err := pictures(m, maps, tracks)[0].draw()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(before, after) {
		t.Error("the picture does not show them")
	}
}
