// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
)

const (
	// maxPairLine is the most bytes of a line with a pair.
	maxPairLine = 8 << 20
	// pairBudget is the most bytes of lines that are in work at once, counted in
	// parts of pairUnit: what was read and not yet answered.
	pairBudget, pairUnit = 64 << 20, 64 << 10
)

// pairLine is a line of the input.
type pairLine struct {
	ID      jsontext.Value `json:"id"`
	A       jsontext.Value `json:"a"`
	B       jsontext.Value `json:"b"`
	Dialect string         `json:"dialect"`
}

// pairAnswer is a line of the output. Members are only added to it.
type pairAnswer struct {
	// ID is that of the line, as it is; null if it has none.
	ID json.RawMessage `json:"id"`
	containment
	// Error says that the pair was not judged; Reason says why.
	Error bool `json:"error,omitempty"`
	// Micros is how long the pair took, in microseconds. It is the only member that
	// differs between two runs.
	Micros int64 `json:"micros"`
}

// pairJob is a line on its way to its answer.
type pairJob struct {
	number  int
	text    []byte
	tooLong bool
	units   int
	// done is closed when output and failed are set.
	done   chan struct{}
	output []byte
	failed bool
}

// containsPairs judges the pairs of a file as they come.
func (p *Program) containsPairs(name, spoken string) int {
	in := p.In
	if name != manifest.Stdin {
		f, err := os.Open(name)
		if err != nil {
			p.complain("reading pairs: %v", err)
			return exitUsage
		}
		defer f.Close()
		in = f
	}
	s := pairStream{
		spoken: spoken, work: make(chan *pairJob), order: make(chan *pairJob, pairBudget/pairUnit),
		budget: make(chan struct{}, pairBudget/pairUnit), stop: make(chan struct{}),
	}
	defer close(s.stop)
	go s.read(in)
	for range runtime.GOMAXPROCS(0) {
		go s.judge()
	}
	code := exitOK
	for {
		job, err := nextOf(s.order, p.out.Flush)
		if err == nil && job == nil {
			break
		}
		if err == nil {
			_, err = nextOf(job.done, p.out.Flush)
		}
		if err == nil {
			_, err = p.out.Write(job.output)
		}
		if err != nil {
			return exitUsage // said when the program ends
		}
		if job.failed {
			code = exitFindings
		}
		for range job.units {
			<-s.budget
		}
	}
	if s.err != nil {
		p.complain("reading pairs: %v", s.err)
		return exitUsage
	}
	return code
}

// nextOf receives from a channel. If it has to wait, what was written goes out
// first, so that nobody waits for an answer that is there.
func nextOf[T any](from <-chan T, flush func() error) (next T, err error) {
	select {
	case next = <-from:
		return next, nil
	default:
	}
	if err := flush(); err != nil {
		return next, err
	}
	return <-from, nil
}

// pairStream connects the reader, the judges and the writer. Every line goes to
// work and to order; the budget bounds what is between.
type pairStream struct {
	spoken      string
	work, order chan *pairJob
	budget      chan struct{}
	stop        chan struct{} // closed when nobody wants answers any more
	err         error         // of the input; set before order is closed
}

// read makes a job of every line that is not empty.
func (s *pairStream) read(in io.Reader) {
	defer close(s.order)
	defer close(s.work)
	lines := bufio.NewReaderSize(in, pairUnit)
	for number := 1; ; number++ {
		text, tooLong, err := readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			s.err = err
			return
		}
		if len(bytes.TrimSpace(text)) > 0 || tooLong {
			job := &pairJob{number: number, text: text, tooLong: tooLong, units: 1 + len(text)/pairUnit, done: make(chan struct{})}
			if !s.send(job) {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// send puts a job to work within the budget; it is false when nobody waits.
func (s *pairStream) send(job *pairJob) bool {
	for range job.units {
		select {
		case s.budget <- struct{}{}:
		case <-s.stop:
			return false
		}
	}
	for _, to := range []chan *pairJob{s.order, s.work} {
		select {
		case to <- job:
		case <-s.stop:
			return false
		}
	}
	return true
}

// readLine reads up to the end of a line. Of one that is too long the rest is
// passed over.
func readLine(in *bufio.Reader) (text []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(text)+len(part) > maxPairLine; tooLong {
			text = nil
		} else {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, tooLong, err
		}
	}
}

func (s *pairStream) judge() {
	for job := range s.work {
		job.answer(s.spoken)
		close(job.done)
	}
}

// answer judges one line.
func (job *pairJob) answer(spoken string) {
	started := time.Now()
	out := pairAnswer{ID: json.RawMessage("null")}
	why := job.decide(&out, spoken)
	if why != "" {
		job.failed, out.Error = true, true
		out.containment = containment{Answer: contain.Unknown.String(), Reason: fmt.Sprintf("line %d: %s", job.number, why)}
	}
	out.Micros = time.Since(started).Microseconds()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(out) //nolint:errchkjson // it holds texts and JSON that was read as such
	job.output, job.text = b.Bytes(), nil
}

// decide fills in the answer, or says why there is none.
func (job *pairJob) decide(out *pairAnswer, spoken string) (why string) {
	// One pair must not end the others, whatever it runs into.
	defer func() {
		if p := recover(); p != nil {
			why = finding.Clip(fmt.Sprintf("defect: the pair could not be judged: %v", p), 300)
		}
	}()
	if job.tooLong {
		return fmt.Sprintf("it has more than %d bytes; shorten the schemas", maxPairLine)
	}
	var line pairLine
	err := jsonv2.Unmarshal(job.text, &line)
	if line.ID.IsValid() {
		out.ID = json.RawMessage(line.ID)
	}
	switch {
	case err != nil:
		return "it is no object with id, a, b and dialect: " + finding.Clip(err.Error(), 200)
	case line.A == nil:
		return "it has no member a; write the first schema there"
	case line.B == nil:
		return "it has no member b; write the second schema there"
	case line.Dialect == "":
		line.Dialect = spoken
	}
	a, failed := readSchema(line.A, line.Dialect)
	if failed != nil {
		return "a: " + failed.String()
	}
	b, failed := readSchema(line.B, line.Dialect)
	if failed != nil {
		return "b: " + failed.String()
	}
	out.containment = answerOf(contain.Contains(a, b))
	return ""
}
