// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

func (l *loop) publishStatus() { l.Show.Status(l.Snapshot()) }

func (l *loop) publishSamples() { l.Show.Samples(l.Book.Record().Observations) }

func (l *loop) publishMaps() { l.Show.Maps(l.Snapshot(), l.mapped) }

// mapped takes up that maps are published: new samples may have come meanwhile, and the record may wait for the maps.
func (l *loop) mapped() {
	if l.Show.MapsDue() {
		l.publishMaps()
	}
	if l.Finished && !l.Working && !l.Book.Saved() {
		l.save()
	}
}

// publish publishes status and diagnostics.
func (l *loop) publish() {
	if !l.Show.Diagnosed() && l.Book.Journal.Bags.Status().Bag == "" {
		l.publishStatus()
		return
	}
	s := l.CloseUp()
	l.Show.Status(s)
	l.Show.Diagnostics(s)
}

// save writes the record and the report concurrently with the callbacks, at the end of the
// mission after the last maps are published. A mission without a sample writes nothing and
// leaves an earlier mission's record in the folder unchanged.
func (l *loop) save() {
	if l.Show.Busy() { // save is called again when it ends
		return
	}
	if l.Book.Complete() {
		l.logResult("")
		l.Book.NoteStatus(l.Snapshot) // it says why the mission is over
		l.Book.NoteSaved()
		return
	}
	l.Working = true // over waits until it is false
	r := l.NewReport()
	l.ending = r
	var err, exportErr error
	l.Node.Async(func() { err, exportErr = r.Write(l.Config) }, func() {
		l.Working, l.ending = false, nil
		if l.Book.Wrote(r, err, exportErr) {
			l.logResult(l.Config.OutputDir)
		}
	})
}

// logResult tells what the mission has found and where it is written, once.
func (l *loop) logResult(folder string) {
	if best := l.Facts().Best(); l.Book.TellsResult() && best != "" {
		l.Log("best place found: %s", best)
	}
	if folder != "" {
		l.Log("record and report: %s", folder)
	}
}
