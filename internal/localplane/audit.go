// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"time"
)

// Files of the audit log, relative to the plane's directory.
const (
	auditPolicyFile = "audit-policy.yaml"
	auditLogFile    = "audit.log"
)

// auditPolicy records writes without bodies. The stage RequestReceived is
// written before the API server handles a request, which is how Writes knows
// that some are still open.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [ResponseStarted]
rules:
- level: None
  verbs: [get, list, watch]
- level: None
  nonResourceURLs: ["*"]
- level: Metadata
`

// auditArgs returns the flags of an API server that keeps an audit log. Each
// event is in the file before the request goes on; the file is not rotated
// before it has 4 GB.
func auditArgs() []string {
	return []string{
		"--audit-policy-file=" + auditPolicyFile,
		"--audit-log-path=" + auditLogFile,
		"--audit-log-mode=blocking",
		"--audit-log-maxsize=4096",
	}
}

// Write is one write request as the API server recorded it: what was asked, by
// whom, and how it was answered. A write that changed nothing counts too.
type Write struct {
	// User is the name of who asked; UserAgent is what the client calls itself.
	User, UserAgent string
	// Verb is create, update, patch, delete or deletecollection.
	Verb string
	// Group is "" for the core API. Resource is the plural ("configmaps");
	// Subresource is "" or for example "status".
	Group, Resource, Subresource string
	// Namespace is "" for cluster-scoped objects.
	Namespace, Name string
	// RequestURI is the path with its query (dryRun, fieldManager, force).
	RequestURI string
	// Code is the HTTP status of the answer.
	Code int
}

// auditEvent is the part of audit.k8s.io/v1 Event that is read.
type auditEvent struct {
	AuditID    string `json:"auditID"`
	Stage      string `json:"stage"`
	RequestURI string `json:"requestURI"`
	Verb       string `json:"verb"`
	UserAgent  string `json:"userAgent"`
	User       struct {
		Username string `json:"username"`
	} `json:"user"`
	ObjectRef struct {
		Resource    string `json:"resource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		APIGroup    string `json:"apiGroup"`
		Subresource string `json:"subresource"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
}

// Writes returns every write request since the plane started, in the order in
// which they were answered, those of the API server itself included (it renews
// leases). It waits until no write is being handled, so that a request whose
// answer the caller has seen is never missing. [Options.Audit] must be set.
func (p *Plane) Writes(ctx context.Context) ([]Write, error) {
	if p.AuditLogPath == "" {
		return nil, errors.New("reading the audit log: the plane was started without Options.Audit")
	}
	for {
		writes, open, err := p.audit.follow(p.AuditLogPath)
		if err != nil {
			return nil, fmt.Errorf("reading the audit log: %w", err)
		}
		if open == 0 {
			return writes, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("reading the audit log: %d writes are still being handled: %w", open, ctx.Err())
		case <-time.After(probeInterval):
		}
	}
}

// auditLog is what is known of an audit log. The log grows as long as the plane
// runs and is asked for often, so each of its lines is read once.
type auditLog struct {
	mutex sync.Mutex
	// offset is where the first line begins that has not been read.
	offset int64
	// received are the writes that are being handled, by audit ID.
	received map[string]bool
	writes   []Write
}

// follow reads what the file has gained since the last call. It returns the
// completed writes of the whole log, and how many have been received and not
// completed; a last line without its end counts as one.
func (l *auditLog) follow(path string) (writes []Write, open int, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) { // made with the first event
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	added, err := io.ReadAll(io.NewSectionReader(file, l.offset, math.MaxInt64-l.offset))
	if err != nil {
		return nil, 0, err
	}
	rest, err := l.take(added)
	if err != nil {
		return nil, 0, err
	}
	open = len(l.received)
	if rest > 0 {
		open++
	}
	return slices.Clone(l.writes), open, nil
}

// take reads the lines of what was added to the log. It returns how many bytes
// are left: a line without its end is read again when it is whole.
func (l *auditLog) take(added []byte) (rest int, err error) {
	for line := range bytes.Lines(added) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			return len(line), nil
		}
		var event auditEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return 0, fmt.Errorf("decoding an event: %w", err)
		}
		l.offset += int64(len(line))
		if event.Stage == "RequestReceived" {
			if l.received == nil {
				l.received = map[string]bool{}
			}
			l.received[event.AuditID] = true
			continue
		}
		delete(l.received, event.AuditID)
		l.writes = append(l.writes, event.write())
	}
	return 0, nil
}

func (e auditEvent) write() Write {
	return Write{
		User:        e.User.Username,
		UserAgent:   e.UserAgent,
		Verb:        e.Verb,
		Group:       e.ObjectRef.APIGroup,
		Resource:    e.ObjectRef.Resource,
		Subresource: e.ObjectRef.Subresource,
		Namespace:   e.ObjectRef.Namespace,
		Name:        e.ObjectRef.Name,
		RequestURI:  e.RequestURI,
		Code:        e.ResponseStatus.Code,
	}
}
