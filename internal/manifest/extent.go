// SPDX-License-Identifier: Apache-2.0

package manifest

// Text is the text that the object stands in, and where it starts in the file, in
// bytes behind a mark of the byte order: a value in JSON, or a YAML document
// without its separators. The objects of a list share it.
func (d *Document) Text() (text []byte, offset int) {
	if d.layout == nil {
		return nil, 0
	}
	return d.layout.text(), d.layout.start
}

// At is the pointer of the object in its text: empty, or that of an item of a list.
func (d *Document) At() string { return d.at }
