// SPDX-License-Identifier: Apache-2.0

package cli

import "time"

// now is the time of the clock, in UTC.
func (p *Program) now() time.Time {
	if p.Now != nil {
		return p.Now().UTC()
	}
	return time.Now().UTC()
}

// today is the day of the clock.
func (p *Program) today() time.Time { return p.now().Truncate(24 * time.Hour) }

// daysSince counts the days since a day that is written as YYYY-MM-DD. A day in
// the future, which another clock may have seen, is none ago.
func (p *Program) daysSince(day string) (days int, ok bool) {
	then, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0, false
	}
	return max(0, int(p.today().Sub(then).Hours()/24)), true
}
