// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// Labels of the objects that the operator creates. They are the operator's
// own: labels of the contract are never copied, because GitOps tools prune by them.
const (
	// LabelManagedBy marks every object of the operator; its value is ManagedBy.
	// The operator's cache selects ConfigMaps by it.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	// ManagedBy is the value of LabelManagedBy and the field manager of all writes.
	ManagedBy = "toolcontract-controller"
	// LabelContract names the ToolContract.
	LabelContract = "toolcontract.dev/contract"
	// LabelVersion is the version that the object was made from.
	LabelVersion = "toolcontract.dev/version"
	// LabelLine is the line of that version.
	LabelLine = "toolcontract.dev/line"
	// LabelRole says what a ConfigMap is: RoleRendering or RoleChannel.
	LabelRole = "toolcontract.dev/role"
	// RoleRendering is an immutable ConfigMap with the exact bytes of one revision.
	RoleRendering = "rendering"
	// RoleChannel is the ConfigMap with a stable name that serves one line.
	RoleChannel = "channel"
	// LabelSet names the ToolSet, and LabelProfile the profile that its ConfigMap
	// is for.
	LabelSet     = "toolcontract.dev/set"
	LabelProfile = "toolcontract.dev/profile"
	// RoleSet is the ConfigMap with a stable name that agents mount; RoleSetRendering
	// is an immutable one with the same bytes.
	RoleSet          = "set"
	RoleSetRendering = "set-rendering"
)

// Annotations of published ConfigMaps.
const (
	// AnnotationDigest is the SHA-256 of index.json, in full.
	AnnotationDigest = "toolcontract.dev/digest"
	// AnnotationContentDigest is the content digest of the revision.
	AnnotationContentDigest = "toolcontract.dev/content-digest"
	// AnnotationRevision names the ToolRevision.
	AnnotationRevision = "toolcontract.dev/revision"
	// AnnotationProfiles lists the profiles that are served, comma-separated;
	// those rendered strict have the suffix ":strict".
	AnnotationProfiles = "toolcontract.dev/profiles"
	// AnnotationProfileRevisions lists profile=revision, comma-separated: the
	// revisions that the bytes were first rendered by. It is no part of the digest:
	// an edit of a profile that changes no byte renames and writes nothing.
	AnnotationProfileRevisions = "toolcontract.dev/profile-revisions"
	// AnnotationRendererVersions lists wireFormat=version, comma-separated.
	AnnotationRendererVersions = "toolcontract.dev/renderer-versions"
	// AnnotationRendering names, on a channel, the immutable ConfigMap it copies.
	AnnotationRendering = "toolcontract.dev/rendering"
	// AnnotationPrevious names, on a channel, the revision it served before.
	AnnotationPrevious = "toolcontract.dev/previous-revision"
	// AnnotationIssued lists, on a channel, version=digest of the issued versions
	// of its line, comma-separated and without "sha256:". The channel of the newest
	// line also has those of lines that have no channel. It is read only when the
	// status of the contract is lost.
	AnnotationIssued = "toolcontract.dev/issued"
	// AnnotationRetiredLine is, on the channel of the newest line, the highest
	// retired line. It is read only when the status of the contract is lost.
	AnnotationRetiredLine = "toolcontract.dev/retired-line"
)

// Names of the files that stand beside the profiles in a published ConfigMap.
const (
	// FileContract is the host's view of the contract.
	FileContract = "contract.json"
	// FileIndex is the digest of every other file.
	FileIndex = "index.json"
	// FileResultSchema is the schema of what a model sees of an answer, and
	// FileAuditSchema that of the record that it must never see.
	FileResultSchema = "result.schema.json"
	FileAuditSchema  = "audit.schema.json"
)

// Names of the files of a set.
const (
	// FileTools is the value of tools in a request.
	FileTools = "tools.json"
	// FileRequest is what a request must hold beside the tools.
	FileRequest = "request.json"
	// FileManifest holds the host's view of every tool.
	FileManifest = "manifest.json"
)
