# SPDX-License-Identifier: Apache-2.0
"""An agent that reads a set from files and follows it; see ../README.md."""

import datetime
import hashlib
import json
import os
import sys
import threading
import time

import contract


class Torn(Exception):
    """The files do not belong together: the folder is being changed."""


def load(folder):
    """Reads a set and compares every file with its digest in index.json."""
    # All files are read through one directory: the kubelet turns the link ..data,
    # and a path that goes through it twice could meet two versions.
    inner = os.path.join(folder, "..data")
    base = os.path.realpath(inner) if os.path.islink(inner) else folder

    def read(name):
        with open(os.path.join(base, name), "rb") as file:
            return file.read()

    index = read("index.json")
    files = {}
    for name, digest in json.loads(index)["files"].items():
        if os.path.basename(name) != name:
            raise ValueError(f"index.json names {name!r}, which is no file of a ConfigMap")
        data = read(name)
        if "sha256:" + hashlib.sha256(data).hexdigest() != digest:
            raise Torn(f"{name} is not the file that index.json names")
        files[name] = data
    request = json.loads(files["request.json"])
    tools = [contract.Tool(entry, request["profile"]) for entry in json.loads(files["manifest.json"])["tools"]]
    return {
        "digest": "sha256:" + hashlib.sha256(index).hexdigest(),
        "index": index,
        # What goes into the request, as it is.
        "tools_json": files["tools.json"],
        "request": request,
        "tools": {tool.name: tool for tool in tools},
    }


class Agent:
    def __init__(self, folder, session, answers, approved):
        self.folder, self.session, self.answers = folder, session, answers
        # The tools that a person has agreed to; a real host asks for each call.
        self.approved = approved
        self.current, self.told, self.torn, self.printing = None, None, 0, threading.Lock()

    def print(self, event):
        with self.printing:
            print(json.dumps(event, ensure_ascii=False), flush=True)

    def follow(self):
        """Takes a set when it is there and whole, and keeps the old one until then."""
        while True:
            time.sleep(0.05)
            self.look()

    def look(self):
        try:
            found = load(self.folder)
            self.torn = 0
            if self.current is None or found["index"] != self.current["index"]:
                self.current, self.told = found, None
                self.print({"event": "loaded", "digest": found["digest"], "tools": list(found["tools"])})
        except Exception as error:  # whatever is wrong, the tools that work stay
            self.torn = self.torn + 1 if isinstance(error, (Torn, FileNotFoundError)) else 99
            if self.torn > 5 and self.told != str(error):
                self.told = str(error)
                self.print({"event": "kept", "reason": str(error)})

    def answer(self, call):
        current = self.current  # one set from the beginning of a call to its end
        tool = current and current["tools"].get(call["tool"])
        if not tool:
            self.print({"event": "result", "id": call["id"], "error": f"there is no tool {call['tool']}"})
            return
        self.print({"event": "result", "id": call["id"], "version": tool.version, "envelope": self.run(tool, call.get("arguments"))})

    def run(self, tool, written):
        try:
            arguments = tool.decode(written)
            tool.validate_call(arguments)
            tool.inject(arguments, self.session)  # what the application gets
        except contract.Refused as refused:
            return tool.fail(refused.code, str(refused))
        if tool.approval and not self.approved.get(tool.name):
            return tool.fail("APPROVAL_REQUIRED")
        if tool.name not in self.answers:
            return tool.fail("TOOL_UNAVAILABLE")
        now = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        try:
            return tool.succeed(arguments, self.answers[tool.name], os.environ.get("PRODUCER", "sample"), now)
        except contract.Refused as refused:
            print(f"{tool.name}: {refused}", file=sys.stderr)
            return tool.fail(refused.code)


def main():
    environment = {name: json.loads(os.environ.get(name) or "{}") for name in ("SESSION", "ANSWERS", "APPROVED")}
    agent = Agent(os.environ["TOOLS_DIR"], environment["SESSION"], environment["ANSWERS"], environment["APPROVED"])
    agent.look()  # before the first call
    threading.Thread(target=agent.follow, daemon=True).start()
    for line in sys.stdin:
        try:
            call = json.loads(line)
            call["id"], call["tool"]
        except (ValueError, KeyError, TypeError) as error:
            print("not a call:", error, file=sys.stderr)
            continue
        agent.answer(call)


if __name__ == "__main__":
    main()
