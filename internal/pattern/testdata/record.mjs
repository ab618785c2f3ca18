// Records what ECMA-262 says of the patterns in node.jsonl, with the flags that JSON Schema means:
//
//	node record.mjs < node.jsonl > new && mv new node.jsonl
//
// Each line is {"pattern", "valid", "matches": [texts], "misses": [texts]}; every text is tried again. The sticky flag
// keeps the search to code points: V8 also begins unanchored searches inside a surrogate pair, which ECMA-262 does not.
import { readFileSync } from "node:fs";

function matches(re, text) {
  let index = 0;
  for (const char of [...text, ""]) {
    re.lastIndex = index;
    if (re.test(text)) return true;
    index += char.length;
  }
  return false;
}

// ascii keeps invisible characters visible in the file.
function ascii(record) {
  return JSON.stringify(record).replace(/[^ -~]/g, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { pattern, matches: yes = [], misses: no = [] } = JSON.parse(line);
  let re;
  try {
    re = new RegExp(pattern, "uy");
  } catch {
    console.log(ascii({ pattern, valid: false }));
    continue;
  }
  const record = { pattern, valid: true, matches: [], misses: [] };
  for (const text of [...yes, ...no]) (matches(re, text) ? record.matches : record.misses).push(text);
  console.log(ascii(record));
}
