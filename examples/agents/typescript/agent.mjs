// SPDX-License-Identifier: Apache-2.0
// @ts-check

// An agent that reads a set from files and follows it; see ../README.md.

import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";

import { Refused, Tool } from "./contract.mjs";

/** The files do not belong together: the folder is being changed. */
class Torn extends Error {}

/** @param {Buffer} data */
const digestOf = (data) => "sha256:" + createHash("sha256").update(data).digest("hex");

/** Reads a set and compares every file with its digest in index.json. @param {string} folder */
function load(folder) {
  // All files are read through one directory: the kubelet turns the link ..data,
  // and a path that goes through it twice could meet two versions.
  let base = folder;
  const inner = join(folder, "..data");
  if (lstatSync(inner, { throwIfNoEntry: false })?.isSymbolicLink()) base = realpathSync(inner);
  const index = readFileSync(join(base, "index.json"));
  /** @type {Record<string, Buffer>} */
  const files = {};
  for (const [name, digest] of Object.entries(JSON.parse(index.toString()).files)) {
    if (basename(name) !== name) throw new Error(`index.json names ${name}, which is no file of a ConfigMap`);
    files[name] = readFileSync(join(base, name));
    if (digestOf(files[name]) !== digest) throw new Torn(`${name} is not the file that index.json names`);
  }
  const request = JSON.parse(files["request.json"].toString());
  /** @type {Map<string, Tool>} */
  const tools = new Map();
  for (const entry of JSON.parse(files["manifest.json"].toString()).tools) tools.set(entry.toolName, new Tool(entry, request.profile));
  // toolsJSON is what goes into the request, as it is.
  return { digest: digestOf(index), index, toolsJSON: files["tools.json"], request, tools };
}

/** @param {any} event */
const print = (event) => console.log(JSON.stringify(event));

const session = JSON.parse(process.env.SESSION || "{}");
/** Stands for the program that does the work. */
const answers = JSON.parse(process.env.ANSWERS || "{}");
/** The tools that a person has agreed to; a real host asks for each call. */
const approved = JSON.parse(process.env.APPROVED || "{}");
/** @type {ReturnType<typeof load> | undefined} */
let current;
let torn = 0, told = "";

/** Takes a set when it is there and whole, and keeps the old one until then. */
function look() {
  try {
    const found = load(process.env.TOOLS_DIR ?? ".");
    torn = 0;
    if (current && found.index.equals(current.index)) return;
    current = found;
    told = "";
    print({ event: "loaded", digest: found.digest, tools: [...found.tools.keys()] });
  } catch (error) {
    // Whatever is wrong, the tools that work stay.
    const passing = error instanceof Torn || /** @type {any} */ (error).code === "ENOENT";
    torn = passing ? torn + 1 : 99;
    if (torn > 5 && told !== String(error)) {
      told = String(error);
      print({ event: "kept", reason: told });
    }
  }
}

/** @param {Tool} tool @param {any} written */
function run(tool, written) {
  /** @type {any} */
  let call;
  try {
    call = tool.decode(written);
    tool.validateCall(call);
    tool.inject(call, session); // what the application gets
  } catch (error) {
    if (error instanceof Refused) return tool.fail(error.code, error.message);
    throw error;
  }
  if (tool.approval && !approved[tool.name]) return tool.fail("APPROVAL_REQUIRED");
  if (!Object.hasOwn(answers, tool.name)) return tool.fail("TOOL_UNAVAILABLE");
  try {
    return tool.succeed(call, answers[tool.name], process.env.PRODUCER ?? "sample", new Date().toISOString());
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(`${tool.name}: ${error.message}`);
    return tool.fail(error.code);
  }
}

look();
const following = setInterval(look, 50);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  /** @type {any} */
  let call;
  try {
    call = JSON.parse(line);
    if (typeof call?.id !== "string" || typeof call.tool !== "string") throw new Error("id and tool are missing");
  } catch (error) {
    console.error("not a call:", String(error));
    return;
  }
  const set = current; // one set from the beginning of a call to its end
  const tool = set?.tools.get(call.tool);
  if (!tool) print({ event: "result", id: call.id, error: `there is no tool ${call.tool}` });
  else print({ event: "result", id: call.id, version: tool.version, envelope: run(tool, call.arguments) });
});
lines.on("close", () => clearInterval(following));
