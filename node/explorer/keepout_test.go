// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ros"
)

// occupied returns what a grid says of a place as Nav2's static layer reads it.
func occupied(m *nav_msgs.OccupancyGrid, x, y float64) int8 {
	cell := float64(m.Info.Resolution)
	i, j := int(math.Floor((x-m.Info.Origin.Position.X)/cell)), int(math.Floor((y-m.Info.Origin.Position.Y)/cell))
	if i < 0 || j < 0 || i >= int(m.Info.Width) || j >= int(m.Info.Height) {
		return -1
	}
	return m.Data[j*int(m.Info.Width)+i]
}

// Whoever subscribes late gets the keep-outs, the margin and the outside as occupied, from
// an active and from a passive explorer, which publishes them again for nobody.
func TestKeepout(t *testing.T) {
	for _, c := range []struct {
		name    string
		passive bool
		folder  bool
	}{{"active", false, true}, {"passive", true, true}, {"with nobody listening at first", false, false}} {
		t.Run(c.name, func(t *testing.T) {
			cfg := small()
			cfg.Outline, cfg.Passive, cfg.KeepoutCell = between(), c.passive, 0.1
			if c.folder {
				cfg.OutputDir = t.TempDir()
			}
			w := newWorld(t, cfg)
			w.run(2 * time.Second)
			var grids []*nav_msgs.OccupancyGrid
			hear(w, "ugp_explorer/keepout", ros.Latched(), func(m *nav_msgs.OccupancyGrid) {
				copied := *m
				copied.Data = append([]int8(nil), m.Data...)
				grids = append(grids, &copied)
			})
			w.run(5 * time.Second)
			if len(grids) != 1 {
				t.Fatalf("%d grids were heard, want 1", len(grids))
			}
			m := grids[0]
			if m.Header.FrameID != cfg.Frame || m.Info.Resolution != 0.1 || m.Info.Origin.Orientation.W != 1 || m.Info.Origin.Position.X > 0 {
				t.Errorf("frame %q, %+v", m.Header.FrameID, m.Info)
			}
			const dear, keepout = 98, 100 // the band is 1.2 m wide
			for _, at := range []struct {
				x, y float64
				want int8
			}{
				{20, 10, 0}, {50, 63, 0}, {80, 10, 0}, {50, 50, keepout}, {50, 60.75, keepout}, {0.75, 50, keepout}, {39.3, 30, keepout},
				{50, 60.85, dear}, {50, 61.5, dear}, {0.85, 50, dear}, {1.8, 50, dear}, {38.5, 30, dear},
				{-0.1, 50, keepout}, {100.1, 50, keepout}, {2.05, 50, 0}, {97.9, 50, 0}, {-1, 50, -1}, {37.9, 30, 0},
			} {
				if got := occupied(m, at.x, at.y); got != at.want {
					t.Errorf("(%g, %g) is %d, want %d", at.x, at.y, got, at.want)
				}
			}
			if log := w.log.String(); strings.Contains(log, "keepout") {
				t.Errorf("the log has\n%s", log)
			}
		})
	}
}

// The layer that the package ships for Nav2 reads the topic that the explorer publishes, with
// its QoS.
func TestCostmapReadsKeepout(t *testing.T) {
	text, err := os.ReadFile("../../launch/params/nav2_costmap.yaml")
	must.OK(t, err)
	var file struct {
		Outer struct {
			Inner struct {
				Parameters struct {
					Frame   string   `yaml:"global_frame"`
					Maximum bool     `yaml:"use_maximum"`
					Coarse  *bool    `yaml:"trinary_costmap"` // Nav2's default is true
					Plugins []string `yaml:"plugins"`
					Layer   struct {
						Plugin  string `yaml:"plugin"`
						Topic   string `yaml:"map_topic"`
						Latched bool   `yaml:"map_subscribe_transient_local"`
					} `yaml:"keepout_layer"`
				} `yaml:"ros__parameters"`
			} `yaml:"global_costmap"`
		} `yaml:"global_costmap"`
	}
	must.OK(t, yaml.Unmarshal(text, &file))
	p := file.Outer.Inner.Parameters
	w := newWorld(t, small())
	w.run(time.Second)
	ends := w.node.Endpoints(p.Layer.Topic)
	if len(ends) != 1 || ends[0].Type != "nav_msgs/msg/OccupancyGrid" || !ends[0].QoS.TransientLocal || ends[0].QoS.BestEffort {
		t.Errorf("on %s there is %+v", p.Layer.Topic, ends)
	}
	if !p.Layer.Latched || p.Layer.Plugin != "nav2_costmap_2d::StaticLayer" || !p.Maximum || p.Coarse == nil || *p.Coarse || p.Frame != w.cfg.Frame || p.Plugins[len(p.Plugins)-1] != "keepout_layer" {
		t.Errorf("the layer is %+v", p)
	}
}
