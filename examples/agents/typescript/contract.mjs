// SPDX-License-Identifier: Apache-2.0
// @ts-check

// One tool of a set: decode, validate, inject, and the envelope for the model.
//
// validate() knows the keywords that it lists and refuses a schema with any other:
// a keyword that nobody checks would be a promise that nobody keeps. A program with
// packages uses a whole validator, such as ajv, in its place.

export const VERSION = "tool-model-result-v2";

/** The words of a contract as an envelope spells them. @type {Record<string, string>} */
const WIRE = {
  InvalidInput: "invalid_input", NotFound: "not_found", PermissionDenied: "permission_denied", Approval: "approval", Conflict: "conflict",
  RateLimited: "rate_limited", Timeout: "timeout", Unavailable: "unavailable", Internal: "internal",
  None: "none", FixInput: "fix_input", AskUser: "ask_user", RequestApproval: "request_approval", RetryLater: "retry_later",
  TrustedControl: "trusted_control", UntrustedData: "untrusted_data",
};

/** A call or an answer that the contract does not allow, with the code for it. */
export class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * @typedef {{dropNull?: string[], properties?: Record<string, Rule>, values?: Rule, items?: Rule, pairs?: Rule, ref?: string, definitions?: Record<string, Rule>}} Rule
 * @param {Rule} rule @param {any} value @param {Record<string, Rule>} definitions @returns {any}
 */
export function decode(rule, value, definitions = rule.definitions ?? {}) {
  while (rule.ref !== undefined) rule = definitions[rule.ref];
  const { dropNull = [], properties = {}, values = {}, items, pairs } = rule;
  if (Array.isArray(value) && pairs) {
    const isPair = (/** @type {any} */ p) => typeof p?.key === "string" && Object.keys(p).length === 2 && Object.hasOwn(p, "value");
    if (!value.every(isPair) || new Set(value.map((p) => p.key)).size < value.length) throw new Error("each entry needs a key of its own and a value, and nothing else");
    return Object.fromEntries(value.map((p) => [p.key, decode(pairs, p.value, definitions)]));
  }
  if (Array.isArray(value)) return items ? value.map((v) => decode(items, v, definitions)) : value;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([k, v]) => v !== null || !dropNull.includes(k));
  return Object.fromEntries(kept.map(([k, v]) => [k, decode(Object.hasOwn(properties, k) ? properties[k] : values, v, definitions)]));
}

/** Keywords that say nothing of whether a value is valid. */
const ANNOTATIONS = new Set(["$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"]);
/** @type {Record<string, (v: any) => boolean>} */
const TYPES = {
  string: (v) => typeof v === "string", boolean: (v) => typeof v === "boolean", null: (v) => v === null, array: Array.isArray,
  object: (v) => typeof v === "object" && v !== null && !Array.isArray(v), number: (v) => typeof v === "number", integer: Number.isInteger,
};
/** @type {Record<string, RegExp>} */
const FORMATS = {
  "date-time": /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/, date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
};

/** @param {string} text */
function isDay(text) {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text;
}

/** @param {any} a @param {any} b @returns {boolean} */
function equal(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]));
}

/** What is wrong with a value, by JSON pointer. @param {any} schema @param {any} value @returns {string[]} */
export function validate(schema, value, root = schema, at = "") {
  if (schema === true) return [];
  if (schema === false) return [`${at || "/"}: it is not allowed`];
  /** @type {string[]} */
  const wrong = [];
  const isText = typeof value === "string", isList = Array.isArray(value), isObject = TYPES.object(value), isNumber = typeof value === "number";
  const length = isText ? [...value].length : 0;
  for (const [keyword, want] of Object.entries(schema)) {
    let ok = true;
    if (ANNOTATIONS.has(keyword) || keyword.startsWith("x-")) continue;
    switch (keyword) {
      case "$ref": {
        const target = want.slice(1).split("/").slice(1).reduce((/** @type {any} */ v, /** @type {string} */ t) => v[t.replaceAll("~1", "/").replaceAll("~0", "~")], root);
        wrong.push(...validate(target, value, root, at));
        break;
      }
      case "type": ok = [want].flat().some((t) => TYPES[t](value)); break;
      case "enum": ok = want.some((/** @type {any} */ v) => equal(v, value)); break;
      case "const": ok = equal(want, value); break;
      case "pattern": ok = !isText || new RegExp(want, "u").test(value); break;
      case "format":
        if (!FORMATS[want]) throw new Error(`this program does not check the format ${want}`);
        ok = !isText || (FORMATS[want].test(value) && (want === "uuid" || isDay(value.slice(0, 10))));
        break;
      case "minLength": ok = !isText || length >= want; break;
      case "maxLength": ok = !isText || length <= want; break;
      case "minimum": ok = !isNumber || value >= want; break;
      case "maximum": ok = !isNumber || value <= want; break;
      case "minItems": ok = !isList || value.length >= want; break;
      case "maxItems": ok = !isList || value.length <= want; break;
      case "items": if (isList) value.forEach((/** @type {any} */ v, /** @type {number} */ i) => wrong.push(...validate(want, v, root, `${at}/${i}`))); break;
      case "required": if (isObject) for (const name of want) if (!Object.hasOwn(value, name)) wrong.push(`${at}/${name}: it is missing`); break;
      case "properties": if (isObject) for (const [name, below] of Object.entries(want)) if (Object.hasOwn(value, name)) wrong.push(...validate(below, value[name], root, `${at}/${name}`)); break;
      case "additionalProperties": if (isObject) for (const name of Object.keys(value)) if (!Object.hasOwn(schema.properties ?? {}, name)) wrong.push(...validate(want, value[name], root, `${at}/${name}`)); break;
      default: throw new Error(`this program does not check the keyword ${keyword}`);
    }
    if (!ok) wrong.push(`${at || "/"}: ${keyword} is ${JSON.stringify(want)}`);
  }
  return wrong;
}

/** @param {any} value @param {string} pointer @returns {any} */
function at(value, pointer) {
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = value[name];
  }
  return value;
}

/** @param {any} value @returns {number} */
const depth = (value) => (typeof value !== "object" || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depth)));
/** @param {any} value @returns {number} */
const longest = (value) => (typeof value !== "object" || value === null ? 0 : Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(longest)));

/** One entry of manifest.json. */
export class Tool {
  /** @param {any} entry @param {string} profile */
  constructor(entry, profile) {
    this.entry = entry;
    /** @type {string} */ this.name = entry.toolName;
    /** @type {string} */ this.version = entry.version;
    this.output = entry.output ?? {};
    const execution = entry.execution ?? {};
    this.approval = execution.approval === "Required";
    /** @type {Rule} */ this.rule = entry.targets.find((/** @type {any} */ t) => t.profile === profile).decode ?? {};
    const repeatable = execution.sideEffect === "None" || ["Idempotent", "Key"].includes(execution.idempotency?.mode);
    /** What this program answers in place of the tool; a contract may word it. @type {Record<string, any>} */
    this.errors = {};
    for (const [code, category, recovery, safeMessage] of [
      ["APPROVAL_REQUIRED", "Approval", "RequestApproval", "A person has to approve this call first."],
      ["INVALID_ARGUMENTS", "InvalidInput", "FixInput", "The arguments do not fit the tool."],
      ["SESSION_REQUIRED", "PermissionDenied", "AskUser", "The session lacks something that the tool needs; the user may have to sign in."],
      ["TOOL_UNAVAILABLE", "Unavailable", "RetryLater", "The tool cannot be reached at the moment."],
      repeatable ? ["RESULT_TOO_LARGE", "Internal", "FixInput", "The answer is larger than the tool may give. Ask for less."]
        : ["RESULT_TOO_LARGE", "Internal", "None", "The answer is larger than the tool may give."],
      ["RESULT_INVALID", "Internal", "None", "The tool answered something that its contract does not allow."],
    ]) this.errors[code] = { code, category, recovery, safeMessage };
    for (const declared of this.output.errors ?? []) this.errors[declared.code] = declared;
  }

  /** @param {any} written */
  decode(written) {
    try {
      return decode(this.rule, written);
    } catch (error) {
      throw new Refused("INVALID_ARGUMENTS", String(error));
    }
  }

  /** @param {any} call */
  validateCall(call) {
    const wrong = validate(this.entry.input.schema, call);
    if (wrong.length) throw new Refused("INVALID_ARGUMENTS", wrong.slice(0, 3).join("; "));
  }

  /** Adds what the tool needs of the session. The model knows of none of it. @param {any} call @param {Record<string, any>} session */
  inject(call, session) {
    const out = { ...call };
    for (const { name, source, optional, schema } of this.entry.input.sessionParameters ?? []) {
      if (!Object.hasOwn(session, source)) {
        if (optional) continue;
        throw new Refused("SESSION_REQUIRED", `${source} is not in the session`);
      }
      if (Object.hasOwn(out, name) || validate(schema, session[source]).length) throw new Refused("SESSION_REQUIRED", `${source} does not fit ${name}`);
      out[name] = session[source];
    }
    return out;
  }

  /** The envelope of an answer; throws Refused if the contract does not allow it. @param {any} call @param {any} data @param {string} producer @param {string} observedAt */
  succeed(call, data, producer, observedAt) {
    if (this.output.schema === undefined) data = null;
    else {
      const wrong = validate(this.output.schema, data);
      if (wrong.length) throw new Refused("RESULT_INVALID", wrong.slice(0, 3).join("; "));
    }
    for (const b of this.output.bindings ?? []) if (!equal(at(data, b.output), at(call, b.input))) throw new Refused("RESULT_INVALID", `${b.output} is not ${b.input} of the call`);
    const { maxBytes = Infinity, maxDepth = Infinity, maxItems = Infinity } = this.output.limits ?? {};
    if (Buffer.byteLength(JSON.stringify(data)) > maxBytes || depth(data) > maxDepth || longest(data) > maxItems) throw new Refused("RESULT_TOO_LARGE", "the answer is beyond the limits");
    const next = this.output.pagination?.output;
    return this.envelope("succeeded", data, null, "completed", !(next && at(data, next) !== null), producer, observedAt);
  }

  /** @param {string} code @param {string} [detail] */
  fail(code, detail) {
    const error = this.errors[code];
    return this.envelope("failed", null, {
      code, category: WIRE[error.category], recovery: WIRE[error.recovery ?? "None"],
      safe_message: detail && code === "INVALID_ARGUMENTS" ? detail : error.safeMessage ?? `The call failed: ${code}.`,
      retry_after_ms: error.recovery === "RetryLater" ? error.retryAfterMs ?? null : null,
    }, code.startsWith("RESULT_") ? "completed" : "not_started", false, null, null);
  }

  /** @param {string} status @param {any} data @param {any} error @param {string} outcome @param {boolean} complete @param {string | null} producer @param {string | null} observedAt */
  envelope(status, data, error, outcome, complete, producer, observedAt) {
    const { source = this.name, producerRevision = producer, trust = "UntrustedData" } = this.output.provenance ?? {};
    return {
      schema_version: VERSION, status, data, error,
      execution: { outcome, delivery: "fresh", complete, truncated: false },
      provenance: { source_label: source, producer_revision: producerRevision, resource_revision: null, observed_at: observedAt, trust: WIRE[trust] },
    };
  }
}
