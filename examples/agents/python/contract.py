# SPDX-License-Identifier: Apache-2.0
"""One tool of a set: decode, validate, inject, and the envelope for the model.

validate() knows the keywords that it lists and refuses a schema with any other: a
keyword that nobody checks would be a promise that nobody keeps. A program with
packages uses a whole validator, such as jsonschema, in its place.
"""

import datetime
import json
import math
import re

VERSION = "tool-model-result-v2"

# The words of a contract as an envelope spells them.
WIRE = {
    "InvalidInput": "invalid_input", "NotFound": "not_found", "PermissionDenied": "permission_denied", "Approval": "approval",
    "Conflict": "conflict", "RateLimited": "rate_limited", "Timeout": "timeout", "Unavailable": "unavailable", "Internal": "internal",
    "None": "none", "FixInput": "fix_input", "AskUser": "ask_user", "RequestApproval": "request_approval", "RetryLater": "retry_later",
    "TrustedControl": "trusted_control", "UntrustedData": "untrusted_data",
}


class Refused(Exception):
    """A call or an answer that the contract does not allow, with the code for it."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def decode(rule, value, definitions=None):
    definitions = rule.get("definitions", {}) if definitions is None else definitions
    while "ref" in rule:
        rule = definitions[rule["ref"]]
    if isinstance(value, dict):
        names, others, drop = rule.get("properties", {}), rule.get("values", {}), rule.get("dropNull", [])
        return {k: decode(names.get(k, others), v, definitions) for k, v in value.items() if v is not None or k not in drop}
    if isinstance(value, list) and "pairs" in rule:
        keys = [p["key"] if isinstance(p, dict) and set(p) == {"key", "value"} else None for p in value]
        if not all(isinstance(k, str) for k in keys) or len(set(keys)) < len(keys):
            raise ValueError("each entry needs a key of its own and a value, and nothing else")
        return {p["key"]: decode(rule["pairs"], p["value"], definitions) for p in value}
    return [decode(rule["items"], v, definitions) for v in value] if isinstance(value, list) and "items" in rule else value


# Keywords that say nothing of whether a value is valid.
ANNOTATIONS = {"$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}
TYPES = {
    "string": lambda v: isinstance(v, str), "boolean": lambda v: isinstance(v, bool), "null": lambda v: v is None,
    "array": lambda v: isinstance(v, list), "object": lambda v: isinstance(v, dict),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: not isinstance(v, bool) and (isinstance(v, int) or isinstance(v, float) and v.is_integer()),
}
FORMATS = {
    "date-time": r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", "date": r"\d{4}-\d\d-\d\d",
    "uuid": r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
}


def whole(pattern):
    """In JSON Schema $ is the end of the text; in Python also the place before a last line break."""
    slashes = len(pattern[:-1]) - len(pattern[:-1].rstrip("\\"))
    return pattern[:-1] + r"\Z" if pattern.endswith("$") and slashes % 2 == 0 else pattern


def is_day(text):
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def equal(a, b):
    """JSON has numbers and booleans; Python takes True for 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return a == b


def validate(schema, value, root=None, at=""):
    """Yields what is wrong with a value, by JSON pointer."""
    root = schema if root is None else root
    if schema is True or schema == {}:
        return
    if schema is False:
        yield f"{at or '/'}: it is not allowed"
        return
    is_text, is_list, is_object = isinstance(value, str), isinstance(value, list), isinstance(value, dict)
    is_number = TYPES["number"](value)
    for keyword, want in schema.items():
        ok = True
        if keyword in ANNOTATIONS or keyword.startswith("x-"):
            continue
        if keyword == "$ref":
            target = root
            for token in want[1:].split("/")[1:]:
                target = target[token.replace("~1", "/").replace("~0", "~")]
            yield from validate(target, value, root, at)
        elif keyword == "type":
            ok = any(TYPES[t](value) for t in ([want] if isinstance(want, str) else want))
        elif keyword == "enum":
            ok = any(equal(value, v) for v in want)
        elif keyword == "const":
            ok = equal(value, want)
        elif keyword == "pattern":
            ok = not is_text or re.search(whole(want), value, re.ASCII)
        elif keyword == "format":
            if want not in FORMATS:
                raise ValueError(f"this program does not check the format {want}")
            ok = not is_text or re.fullmatch(FORMATS[want], value, re.ASCII) and (want == "uuid" or is_day(value[:10]))
        elif keyword in ("minLength", "maxLength"):
            ok = not is_text or (len(value) >= want if keyword[1] == "i" else len(value) <= want)
        elif keyword in ("minimum", "maximum"):
            ok = not is_number or (value >= want if keyword[1] == "i" else value <= want)
        elif keyword in ("minItems", "maxItems"):
            ok = not is_list or (len(value) >= want if keyword[1] == "i" else len(value) <= want)
        elif keyword == "items":
            for i, item in enumerate(value if is_list else []):
                yield from validate(want, item, root, f"{at}/{i}")
        elif keyword == "required":
            for name in want:
                if is_object and name not in value:
                    yield f"{at}/{name}: it is missing"
        elif keyword == "properties":
            for name, below in want.items():
                if is_object and name in value:
                    yield from validate(below, value[name], root, f"{at}/{name}")
        elif keyword == "additionalProperties":
            for name in value if is_object else []:
                if name not in schema.get("properties", {}):
                    yield from validate(want, value[name], root, f"{at}/{name}")
        else:
            raise ValueError(f"this program does not check the keyword {keyword}")
        if not ok:
            yield f"{at or '/'}: {keyword} is {want!r}"


def at(value, pointer):
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        value = value[int(token)] if isinstance(value, list) else value.get(token) if isinstance(value, dict) else None
        if value is None:
            return None
    return value


def depth(value):
    below = value if isinstance(value, list) else value.values() if isinstance(value, dict) else None
    return 0 if below is None else 1 + max(map(depth, below), default=0)


def longest(value):
    below = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return max([len(value) if isinstance(value, list) else 0, *map(longest, below)])


class Tool:
    """One entry of manifest.json."""

    def __init__(self, entry, profile):
        self.entry, self.name, self.version = entry, entry["toolName"], entry["version"]
        self.output, self.execution = entry.get("output", {}), entry.get("execution", {})
        self.approval = self.execution.get("approval") == "Required"
        self.rule = next(t for t in entry["targets"] if t["profile"] == profile).get("decode", {})
        repeatable = self.execution.get("sideEffect") == "None" or self.execution.get("idempotency", {}).get("mode") in ("Idempotent", "Key")
        # What this program answers in place of the tool; a contract may word it.
        self.errors = {code: {"code": code, "category": category, "recovery": recovery, "safeMessage": text} for code, category, recovery, text in (
            ("APPROVAL_REQUIRED", "Approval", "RequestApproval", "A person has to approve this call first."),
            ("INVALID_ARGUMENTS", "InvalidInput", "FixInput", "The arguments do not fit the tool."),
            ("SESSION_REQUIRED", "PermissionDenied", "AskUser", "The session lacks something that the tool needs; the user may have to sign in."),
            ("TOOL_UNAVAILABLE", "Unavailable", "RetryLater", "The tool cannot be reached at the moment."),
            ("RESULT_TOO_LARGE", "Internal", *(("FixInput", "The answer is larger than the tool may give. Ask for less.") if repeatable
                                               else ("None", "The answer is larger than the tool may give."))),
            ("RESULT_INVALID", "Internal", "None", "The tool answered something that its contract does not allow."),
        )}
        for declared in self.output.get("errors", []):
            self.errors[declared["code"]] = declared

    def decode(self, written):
        try:
            return decode(self.rule, written)
        except ValueError as error:
            raise Refused("INVALID_ARGUMENTS", str(error)) from None

    def validate_call(self, arguments):
        wrong = list(validate(self.entry["input"]["schema"], arguments))
        if wrong:
            raise Refused("INVALID_ARGUMENTS", "; ".join(wrong[:3]))

    def inject(self, arguments, session):
        """Adds what the tool needs of the session. The model knows of none of it."""
        out = dict(arguments)
        for parameter in self.entry["input"].get("sessionParameters", []):
            name, source = parameter["name"], parameter["source"]
            if source not in session:
                if parameter.get("optional"):
                    continue
                raise Refused("SESSION_REQUIRED", f"{source} is not in the session")
            wrong = list(validate(parameter["schema"], session[source]))
            if name in out or wrong:
                raise Refused("SESSION_REQUIRED", f"{source} does not fit {name}")
            out[name] = session[source]
        return out

    def succeed(self, arguments, data, producer, observed_at):
        """The envelope of an answer, or Refused if the contract does not allow it."""
        if "schema" not in self.output:
            data = None
        else:
            wrong = list(validate(self.output["schema"], data))
            if wrong:
                raise Refused("RESULT_INVALID", "; ".join(wrong[:3]))
        for binding in self.output.get("bindings", []):
            if not equal(at(data, binding["output"]), at(arguments, binding["input"])):
                raise Refused("RESULT_INVALID", f"{binding['output']} is not {binding['input']} of the call")
        limits = self.output.get("limits", {})
        size = len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())
        if size > limits.get("maxBytes", math.inf) or depth(data) > limits.get("maxDepth", math.inf) or longest(data) > limits.get("maxItems", math.inf):
            raise Refused("RESULT_TOO_LARGE", "the answer is beyond the limits")
        pages = self.output.get("pagination", {})
        more = "output" in pages and at(data, pages["output"]) is not None
        return self.envelope("succeeded", data, None, "completed", not more, producer, observed_at)

    def fail(self, code, detail=None):
        error = self.errors[code]
        text = detail if detail and code == "INVALID_ARGUMENTS" else error.get("safeMessage", f"The call failed: {code}.")
        wait = error.get("retryAfterMs") if error.get("recovery") == "RetryLater" else None
        return self.envelope("failed", None, {
            "code": code, "category": WIRE[error["category"]], "recovery": WIRE[error.get("recovery", "None")],
            "safe_message": text, "retry_after_ms": wait,
        }, "completed" if code.startswith("RESULT_") else "not_started", False, None, None)

    def envelope(self, status, data, error, outcome, complete, producer, observed_at):
        provenance = self.output.get("provenance", {})
        return {
            "schema_version": VERSION, "status": status, "data": data, "error": error,
            "execution": {"outcome": outcome, "delivery": "fresh", "complete": complete, "truncated": False},
            "provenance": {
                "source_label": provenance.get("source", self.name), "producer_revision": provenance.get("producerRevision", producer),
                "resource_revision": None, "observed_at": observed_at, "trust": WIRE[provenance.get("trust", "UntrustedData")],
            },
        }
