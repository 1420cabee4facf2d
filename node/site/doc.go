// Package site runs an explorer on a field that a person may record on the spot.
//
// A [Site] is in one of two states. While it explores, it has an explorer. While a field is
// recorded there is none: nothing that could drive the robot exists in the program, and the
// commands of a mission are refused. A recording begins when there is no field, or by a person
// before the mission has begun; when the field is saved, an explorer is made for it, which waits
// for the start. Commands, their services and the page are the same in both states.
package site
