// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// rule is one CEL rule of the definition in Go, with the way out. Message and
// place come from the definition. The key of [rules] is the rule's CEL text,
// so a rule that changes there must be looked at here.
type rule struct {
	// holds judges the value that the rule stands at. It is nil for rules about
	// a change of an object, which a manifest by itself cannot break.
	holds func(self any) bool
	fix   string
}

var rules = map[string]rule{
	`has(self.schema) != has(self.schemaText)`: {
		holds: func(self any) bool { return has(self, "schema") != has(self, "schemaText") },
		fix:   `set one of them; for a tool without arguments schema: {type: object, additionalProperties: false}`,
	},
	`has(self.value) != has(self.valueText)`: {
		holds: func(self any) bool { return has(self, "value") != has(self, "valueText") },
		fix:   "keep one of them",
	},
	`!(has(self.schema) && has(self.schemaText))`: {
		holds: func(self any) bool { return !has(self, "schema") || !has(self, "schemaText") },
		fix:   "keep one of them",
	},
	`(self.mode == 'Key') == has(self.keyParameter)`: {
		holds: func(self any) bool { return (member(self, "mode") == "Key") == has(self, "keyParameter") },
		fix:   "name the input property that carries the key, or set another mode and remove keyParameter",
	},
	`!(self in ['contract', 'manifest', 'index', 'request', 'tools'])`: {
		holds: func(self any) bool {
			name, _ := self.(string)
			return !slices.Contains([]string{"contract", "manifest", "index", "request", "tools"}, name)
		},
		fix: "give the profile another name",
	},
	// The name is judged with the rest of the metadata.
	`self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')`: {},
	`self.toolName == oldSelf.toolName`: {},
	`has(self.input) == (!has(self.type) || self.type in ['Function', 'MCP'])`: {
		holds: func(self any) bool {
			switch member(self, "type") {
			case nil, "Function", "MCP":
				return has(self, "input")
			case "FreeForm", "BuiltIn":
				return !has(self, "input")
			}
			return true // a word that is no type is reported by itself
		},
		fix: "set input for the types Function and MCP, and remove it for the others",
	},
	`has(self.freeForm) == (has(self.type) && self.type == 'FreeForm')`: ofType("freeForm", "FreeForm"),
	`has(self.builtIn) == (has(self.type) && self.type == 'BuiltIn')`:   ofType("builtIn", "BuiltIn"),
	`has(self.mcp) == (has(self.type) && self.type == 'MCP')`:           ofType("mcp", "MCP"),
	`has(self.definition) == (has(self.syntax) && self.syntax != 'Text')`: {
		holds: func(self any) bool {
			return has(self, "definition") == (has(self, "syntax") && member(self, "syntax") != "Text")
		},
		fix: "set definition for the syntaxes Lark and Regex, and remove it for Text",
	},
	`has(self.url) != has(self.connectorID)`: {
		holds: func(self any) bool { return has(self, "url") != has(self, "connectorID") },
		fix:   "keep one of them",
	},
	`!has(self.retryAfterMs) || (has(self.recovery) && self.recovery == 'RetryLater')`: {
		holds: func(self any) bool { return !has(self, "retryAfterMs") || member(self, "recovery") == "RetryLater" },
		fix:   "set recovery: RetryLater, or remove retryAfterMs",
	},
	`has(self.selector) == (self.from == 'Selector')`: {
		holds: func(self any) bool { return has(self, "selector") == (member(self, "from") == "Selector") },
		fix:   "set from: Selector with a selector, or remove the selector",
	},
	`has(self.channel) != has(self.version)`: {
		holds: func(self any) bool { return has(self, "channel") != has(self, "version") },
		fix:   "keep one of them",
	},
	`has(self.tools) || has(self.selectors)`: {
		holds: func(self any) bool { return has(self, "tools") || has(self, "selectors") },
		fix:   "list the contracts below tools, or select them by their labels",
	},
	`!self.metadata.name.matches('-v[0-9]+$')`: {
		holds: func(self any) bool {
			name, _ := member(member(self, "metadata"), "name").(string)
			return !channelName.MatchString(name)
		},
		fix: "give the set another name",
	},
}

// channelName is a name that a channel of a contract could have.
var channelName = regexp.MustCompile(`-v[0-9]+$`)

// ofType is the rule that a member belongs to one type of tool.
func ofType(name, kind string) rule {
	return rule{
		holds: func(self any) bool { return has(self, name) == (member(self, "type") == kind) },
		fix:   "set " + name + " together with type: " + kind + ", or remove both",
	}
}

func member(self any, name string) any {
	object, _ := self.(map[string]any)
	return object[name]
}

func has(self any, name string) bool { return member(self, name) != nil }

// patternFixes are the ways out for values that break a pattern of the
// definition, by pattern.
var patternFixes = map[string]string{
	`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`:                       "use lower-case letters, digits and hyphens, with a letter or digit at both ends",
	`^[A-Za-z0-9_.:/-]+$`:                                   "use letters, digits and _ . : / -; only letters, digits, _ and - suit every provider",
	`^[A-Z][A-Z0-9_]*$`:                                     "use upper-case letters, digits and _, for example ORDER_NOT_FOUND",
	`^[A-Za-z0-9][A-Za-z0-9 ._:/@-]*$`:                      "write a name, never a value: letters, digits, spaces and . _ : / @ -",
	`^[A-Za-z0-9][A-Za-z0-9._:/@-]*\*?$`:                    "write a model name, with * at the end for any ending",
	`^[A-Za-z_][A-Za-z0-9_.-]*$`:                            "use letters, digits and _ . -, with a letter or _ at the start, for example tenant_id",
	`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)+$`: "name the place in the session, never a value: names joined by dots, for example session.tenant",
	`^[A-Za-z_][A-Za-z0-9_]*$`:                              "use letters, digits and _, with a letter or _ at the start, for example query",
	`^[A-Za-z][A-Za-z0-9_-]*$`:                              "use letters, digits, _ and -, with a letter at the start, for example orders",
	`^[A-Za-z][A-Za-z0-9_]*$`:                               "write the word of the provider, for example web_search",
	`^[A-Za-z0-9][A-Za-z0-9-]*$`:                            "use letters, digits and -, for example X-Tenant",
	`^[A-Za-z0-9_-]+$`:                                      "use letters, digits, _ and -",
	`^https://[^\s?#@]+$`:                                   "write an https URL without user, query and fragment; tokens are named in authorization or headers",
	`^(/([^~/]|~[01])*)+$`:                                  "write a JSON pointer into a call or an answer, for example /order_ref",
	`^[A-Za-z0-9][A-Za-z0-9 ._:/@+-]*$`:                     "write a name, never a value: letters, digits, spaces and . _ : / @ + -",
	`^([1-9][0-9]{0,8}|0\.(0|[1-9][0-9]{0,8}))$`:            "write a line: a major version, or 0.y below 1.0.0",
	versionPattern:                                          "write three numbers of at most nine digits and optionally a pre-release, such as 1.2.0 or 2.0.0-rc.1; no build metadata",
}

// versionPattern is the definition's pattern of a version.
const versionPattern = `^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})` +
	`(-(0|[1-9][0-9]{0,8}|[0-9]*[a-z]([0-9a-z-]*[0-9a-z])?)(\.(0|[1-9][0-9]{0,8}|[0-9]*[a-z]([0-9a-z-]*[0-9a-z])?))*)?$`

// apiVersion and kind of the objects that are read.
var (
	contractAPIVersion = v1alpha1.GroupVersion.String()
	contractGroup      = v1alpha1.GroupVersion.Group
)

const (
	contractKind = "ToolContract"
	setKind      = "ToolSet"
	revisionKind = "ToolRevision" // made by the operator, never written by an author
	profileKind  = "ProviderProfile"
	listSuffix   = "List"
)
