package doctor

import "time"

// firstYear is the year before which a clock is certainly not set: a robot's computer without
// a battery starts in 1970 or at the date of its image.
const firstYear = 2025

// clock examines whether stamps of this machine can be compared with those of others.
func clock(now time.Time) []Finding {
	const subject = "clock"
	if now.Year() < firstYear {
		return []Finding{bad(subject, "it says %s: stamps of poses and readings from other machines would not fit; set it, or start NTP", now.UTC().Format(time.DateTime))}
	}
	if yes, known := synchronised(); known && !yes {
		return []Finding{note(subject, "%s, not synchronised: if poses or readings come from another machine, let both follow NTP or PTP", now.UTC().Format(time.DateTime))}
	}
	return []Finding{good(subject, "%s", now.UTC().Format(time.DateTime))}
}
