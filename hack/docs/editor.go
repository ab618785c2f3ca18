// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/schema"
)

// editorKinds are the kinds that people write, which have a JSON Schema for editors.
var editorKinds = []string{"toolcontract", "toolset", "providerprofile"}

// dialectURI is the dialect of the schemas and of those inside of contracts.
const dialectURI = schema.Dialect

// object is a JSON object that is being made. [json.Marshal] writes its members by name.
type object = map[string]any

// editorRules are the CEL rules of the definitions in JSON Schema. A nil one cannot be
// said there: it is about the object before the change.
var editorRules = map[string]object{
	"self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')": inName(object{"maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}),
	"!self.metadata.name.matches('-v[0-9]+$')":                                                         inName(object{"not": object{"pattern": "-v[0-9]+$"}}),
	"!(self.metadata.name in ['contract', 'manifest', 'index', 'request', 'tools'])":                   inName(object{"not": object{"enum": []any{"contract", "manifest", "index", "request", "tools"}}}),
	"!(self in ['contract', 'manifest', 'index', 'request', 'tools'])":                                 {"not": object{"enum": []any{"contract", "manifest", "index", "request", "tools"}}},
	"self.toolName == oldSelf.toolName":                                                                nil,
	"has(self.input) == (!has(self.type) || self.type in ['Function', 'MCP'])":                         sameAs("input", object{"properties": object{"type": object{"enum": []any{"Function", "MCP"}}}}),
	"has(self.freeForm) == (has(self.type) && self.type == 'FreeForm')":                                sameAs("freeForm", is("type", "FreeForm")),
	"has(self.builtIn) == (has(self.type) && self.type == 'BuiltIn')":                                  sameAs("builtIn", is("type", "BuiltIn")),
	"has(self.mcp) == (has(self.type) && self.type == 'MCP')":                                          sameAs("mcp", is("type", "MCP")),
	"has(self.selector) == (self.from == 'Selector')":                                                  sameAs("selector", is("from", "Selector")),
	"(self.mode == 'Key') == has(self.keyParameter)":                                                   sameAs("keyParameter", is("mode", "Key")),
	"has(self.definition) == (has(self.syntax) && self.syntax != 'Text')":                              sameAs("definition", object{"required": []any{"syntax"}, "properties": object{"syntax": object{"not": object{"const": "Text"}}}}),
	"has(self.schema) != has(self.schemaText)":                                                         eitherOf("schema", "schemaText"),
	"has(self.value) != has(self.valueText)":                                                           eitherOf("value", "valueText"),
	"has(self.url) != has(self.connectorID)":                                                           eitherOf("url", "connectorID"),
	"has(self.channel) != has(self.version)":                                                           eitherOf("channel", "version"),
	"!(has(self.schema) && has(self.schemaText))":                                                      {"not": object{"required": []any{"schema", "schemaText"}}},
	"has(self.tools) || has(self.selectors)":                                                           {"anyOf": []any{object{"required": []any{"tools"}}, object{"required": []any{"selectors"}}}},
	"!has(self.retryAfterMs) || (has(self.recovery) && self.recovery == 'RetryLater')": {
		"if": object{"required": []any{"retryAfterMs"}}, "then": is("recovery", "RetryLater"),
	},
}

func inName(s object) object {
	return object{"properties": object{"metadata": object{"properties": object{"name": s}}}}
}

// is says that a member is there and has a value.
func is(name, value string) object {
	return object{"required": []any{name}, "properties": object{name: object{"const": value}}}
}

// sameAs says that a member is there exactly if something holds.
func sameAs(name string, holds object) object {
	return object{"if": holds, "then": object{"required": []any{name}}, "else": object{"not": object{"required": []any{name}}}}
}

func eitherOf(a, b string) object {
	return object{"oneOf": []any{object{"required": []any{a}}, object{"required": []any{b}}}}
}

// writeEditorSchemas writes a JSON Schema for each kind that people write.
func writeEditorSchemas(crds, dir string) error {
	for _, kind := range editorKinds {
		text, err := editorSchema(crds, kind)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, kind+".schema.json")
		if err := os.WriteFile(path, text, 0o644); err != nil { //nolint:gosec // documents are for everybody
			return fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return nil
}

// editorSchema makes the schema of a kind from its definition.
func editorSchema(crds, kind string) ([]byte, error) {
	path := filepath.Join(crds, "toolcontract.dev_"+kind+"s.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	version := crd.Spec.Versions[0]
	root, err := editorNode(version.Schema.OpenAPIV3Schema, "")
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	properties := root["properties"].(object)
	properties["apiVersion"] = object{"const": crd.Spec.Group + "/" + version.Name}
	properties["kind"] = object{"const": crd.Spec.Names.Kind}
	texts := object{"type": "object", "additionalProperties": object{"type": "string"}}
	properties["metadata"] = object{
		"type": "object", "required": []any{"name"},
		"properties": object{"name": object{"type": "string"}, "namespace": object{"type": "string"}, "labels": texts, "annotations": texts},
	}
	properties["status"] = object{"type": "object", "description": "status is written by the operator."}
	root["required"] = []any{"apiVersion", "kind", "metadata", "spec"}
	root["$schema"] = dialectURI
	root["$id"] = "https://toolcontract.dev/schemas/" + version.Name + "/" + kind + ".schema.json"
	root["title"] = crd.Spec.Names.Kind
	root["$comment"] = "Generated by hack/docs from config/crd/bases. Change the markers in api/v1alpha1, then run `make generate`."
	if kind == "toolcontract" {
		defs, err := embeddedSchema()
		if err != nil {
			return nil, err
		}
		root["$defs"] = object{"schema": defs}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("writing the schema of %s: %w", kind, err)
	}
	return out.Bytes(), nil
}

// editorNode turns a node of a definition into JSON Schema. Objects are closed, since
// kubectl refuses unknown fields.
func editorNode(s *apiextensionsv1.JSONSchemaProps, path string) (object, error) {
	if strings.HasSuffix(path, "/schema") && s.XPreserveUnknownFields != nil {
		return object{"description": paragraphs(s.Description), "$ref": "#/$defs/schema"}, nil
	}
	out := object{}
	if s.Description != "" {
		out["description"] = paragraphs(s.Description)
	}
	if s.Type != "" {
		out["type"] = s.Type
	}
	if s.Default != nil {
		out["default"] = json.RawMessage(s.Default.Raw)
	}
	if s.Format == "date-time" {
		out["format"] = s.Format
	}
	if s.Pattern != "" {
		out["pattern"] = s.Pattern
	}
	for name, value := range map[string]*int64{
		"minLength": s.MinLength, "maxLength": s.MaxLength, "minItems": s.MinItems, "maxItems": s.MaxItems,
		"minProperties": s.MinProperties, "maxProperties": s.MaxProperties,
	} {
		if value != nil {
			out[name] = *value
		}
	}
	for name, value := range map[string]*float64{"minimum": s.Minimum, "maximum": s.Maximum} {
		if value != nil {
			out[name] = *value
		}
	}
	if len(s.Enum) > 0 {
		var list []any
		for _, value := range s.Enum {
			list = append(list, json.RawMessage(value.Raw))
		}
		out["enum"] = list
	}
	if s.XListType != nil && *s.XListType == "set" {
		out["uniqueItems"] = true
	}
	if len(s.Required) > 0 {
		out["required"] = s.Required
	}
	if s.XPreserveUnknownFields != nil && s.Type == "object" && len(s.Properties) == 0 && strings.HasSuffix(path, "/value") {
		delete(out, "type") // any JSON
	}
	return out, editorBelow(s, path, out)
}

// editorBelow adds what is below a node, and its rules.
func editorBelow(s *apiextensionsv1.JSONSchemaProps, path string, out object) error {
	if len(s.Properties) > 0 {
		properties := object{}
		for name, property := range s.Properties {
			if path == "" && (name == "status" || name == "metadata" || name == "apiVersion" || name == "kind") {
				continue
			}
			below, err := editorNode(&property, path+"/"+name)
			if err != nil {
				return err
			}
			properties[name] = below
		}
		out["properties"] = properties
		if s.XPreserveUnknownFields == nil {
			out["additionalProperties"] = false
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		below, err := editorNode(s.AdditionalProperties.Schema, path+"/*")
		if err != nil {
			return err
		}
		out["additionalProperties"] = below
	}
	if s.Items != nil && s.Items.Schema != nil {
		below, err := editorNode(s.Items.Schema, path+"/*")
		if err != nil {
			return err
		}
		out["items"] = below
	}
	return editorRulesOf(s, path, out)
}

// editorRulesOf adds the rules of a node.
func editorRulesOf(s *apiextensionsv1.JSONSchemaProps, path string, out object) error {
	var all []any
	for _, rule := range s.XValidations {
		said, known := editorRules[strings.Join(strings.Fields(rule.Rule), " ")]
		if !known {
			return fmt.Errorf("%s: nobody has said the rule %q in JSON Schema", path, rule.Rule)
		}
		if said != nil {
			all = append(all, said)
		}
	}
	if len(all) > 0 {
		out["allOf"] = all
	}
	return nil
}

// paragraphs joins the lines of a text, which break where the comment in Go did.
func paragraphs(text string) string {
	var out []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		out = append(out, strings.Join(strings.Fields(paragraph), " "))
	}
	return strings.Join(out, "\n\n")
}

// keywordForms are the forms of the values of keywords that have no schemas below them.
var keywordForms = map[string]object{
	"$schema": {"enum": []any{dialectURI, dialectURI + "#"}}, "$id": {"type": "string"}, "$anchor": {"type": "string"}, "$comment": {"type": "string"},
	"$ref": {"type": "string", "pattern": "^#", "description": "A place in the same schema, such as #/$defs/address."},
	"type": {"anyOf": []any{
		object{"$ref": "#/$defs/schema/$defs/type"}, object{"type": "array", "items": object{"$ref": "#/$defs/schema/$defs/type"}, "minItems": 1, "uniqueItems": true},
	}},
	"title": {"type": "string"}, "description": {"type": "string"}, "format": {"type": "string"}, "pattern": {"type": "string"},
	"minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"}, "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "number"},
	"multipleOf": {"type": "number", "exclusiveMinimum": 0},
	"minLength":  count(), "maxLength": count(), "minItems": count(), "maxItems": count(), "minProperties": count(), "maxProperties": count(),
	"minContains": count(), "maxContains": count(),
	"required": names(), "dependentRequired": {"type": "object", "additionalProperties": names()},
	"uniqueItems": {"type": "boolean"}, "deprecated": {"type": "boolean"}, "readOnly": {"type": "boolean"}, "writeOnly": {"type": "boolean"},
	"contentEncoding": {"type": "string"}, "contentMediaType": {"type": "string"},
}

func count() object { return object{"type": "integer", "minimum": 0} }

func names() object {
	return object{"type": "array", "items": object{"type": "string"}, "uniqueItems": true}
}

// embeddedSchema is the meta-schema of the schemas in a contract: JSON Schema 2020-12
// without the keywords that the engine refuses. It is written out, because editors
// follow $dynamicRef badly and should need no network.
func embeddedSchema() (object, error) {
	properties := object{}
	ref := object{"$ref": "#/$defs/schema/$defs/node"}
	for _, k := range schema.Keywords() {
		switch k.Shape {
		case schema.One:
			properties[k.Name] = ref
		case schema.List:
			properties[k.Name] = object{"type": "array", "items": ref, "minItems": 1}
		case schema.Map:
			properties[k.Name] = object{"type": "object", "additionalProperties": ref}
		case schema.InstanceList:
			properties[k.Name] = object{"type": "array"}
		case schema.Instance:
			properties[k.Name] = object{}
		default:
			form, known := keywordForms[k.Name]
			switch {
			case isRefused(k.Name):
				form = object{"not": object{}, "description": k.Name + " makes the schema depend on its surroundings and is refused."}
			case !known:
				return nil, fmt.Errorf("nobody has said what form the keyword %s has", k.Name)
			}
			properties[k.Name] = form
		}
	}
	return object{
		"description": "A JSON Schema 2020-12.", "type": "object", "$ref": "#/$defs/schema/$defs/node",
		"$defs": object{
			"node": object{"type": []any{"object", "boolean"}, "properties": properties},
			"type": object{"enum": []any{"array", "boolean", "integer", "null", "number", "object", "string"}},
		},
	}, nil
}

// isRefused asks the engine about a keyword.
func isRefused(name string) bool {
	v := schema.NewObject(schema.Member{Name: name, Value: schema.NewString("#a")})
	_, findings := schema.Admit(v)
	for _, f := range findings {
		if f.Rule == schema.RuleKeywordRefused && f.Keyword == name {
			return true
		}
	}
	return false
}
