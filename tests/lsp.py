#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lsp.py VAPL [--fuzz N [SEED]]: does `vapl lsp` answer an editor, and survive what no editor sends?

It is a client of the protocol by the standard library alone. --fuzz sends N sessions of damaged messages: run it
with a build that has sanitizers."""
import json
import random
import subprocess
import sys

PASSED = FAILED = 0


def check(what, got, wanted):
    global PASSED, FAILED
    if got == wanted:
        PASSED += 1
        return
    FAILED += 1
    print(f"FAIL {what}\n  wanted: {wanted!r}\n  got:    {got!r}")


def frame(body):
    body = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def unframe(data):
    """The messages that a stream of bytes consists of."""
    found = []
    while data:
        head, data = data.split(b"\r\n\r\n", 1)
        n = int(head.split(b":")[1])
        found.append(json.loads(data[:n]))
        data = data[n:]
    return found


def raw(vapl, data):
    """What it answers to the bytes, its exit code, what it wrote on stderr."""
    got = subprocess.run([vapl, "lsp"], input=data, capture_output=True, timeout=60)
    return unframe(got.stdout), got.returncode, got.stderr.decode(errors="replace")


class Client:
    """A session with one text open; `ask` answers by method."""

    def __init__(self, vapl, text, uri="file:///a.apl"):
        self.p = subprocess.Popen([vapl, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.uri, self.text, self.n, self.errors = uri, text, 0, []
        self.can = self.ask("initialize", capabilities={})["capabilities"]
        self.tell("initialized")
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "vapl", "version": 1, "text": text})

    def send(self, message):
        self.p.stdin.write(frame({"jsonrpc": "2.0", **message}))
        self.p.stdin.flush()

    def receive(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.p.stdout.read(1)
        return json.loads(self.p.stdout.read(int(head.split(b":")[1])))

    def tell(self, method, **params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.n += 1
        self.send({"id": self.n, "method": method, "params": params})
        while True:
            got = self.receive()
            if got.get("id") == self.n:
                return got
            if got["params"]["uri"] == self.uri:
                self.errors = got["params"]["diagnostics"]

    def ask(self, method, **params):
        if hasattr(self, "can"):
            params = {"textDocument": {"uri": self.uri}, **params}
        got = self.request(method, params)
        return got["result"] if "result" in got else got["error"]["message"]

    def place(self, mark, of=0):
        """The position, in UTF-16 units, of the of-th place where the text has the mark."""
        at = -1
        for _ in range(of + 1):
            at = self.text.index(mark, at + 1)
        row = self.text.count("\n", 0, at)
        start = self.text.rfind("\n", 0, at) + 1
        return {"line": row, "character": len(self.text[start:at].encode("utf-16-le")) // 2}

    def at(self, method, mark, of=0, **more):
        return self.ask("textDocument/" + method, position=self.place(mark, of), **more)

    def change(self, *changes):
        self.tell("textDocument/didChange", contentChanges=list(changes),
                  textDocument={"uri": self.uri, "version": 2})

    def hover(self, mark, of=0):
        got = self.at("hover", mark, of)
        return got and got["contents"]["value"]

    def complete(self, typed):
        """(label, what is put) of what is offered behind a last line."""
        rows = self.text.split("\n")
        self.change({"text": self.text + "\n" + typed})
        got = self.ask("textDocument/completion", position={
            "line": len(rows), "character": len(typed.encode("utf-16-le")) // 2})
        self.change({"text": self.text})
        return [(i["label"], i["textEdit"]["newText"]) for i in got["items"]]

    def end(self):
        self.ask("shutdown")
        self.tell("exit")
        return self.p.wait(20)


def span(r):
    return (r["start"]["line"], r["start"]["character"], r["end"]["character"])


PROGRAM = """⍝ the mean of an array
mean←{(+/⍵)÷≢⍵}
n←'😀 and more' ⋄ m←mean 1 2 3
∇ r←scale x;half
 ⍝ twice as large
 half←x÷2
 :If n≡half
   r←mean half
 :Else
   r←{half←⍵ ⋄ half×4}half
 :EndIf
∇
:Namespace tools
 twice←{2×⍵}
:EndNamespace
scale tools.twice m
"""


def features(vapl):
    c = Client(vapl, PROGRAM)
    check("positions are in UTF-16", c.can["positionEncoding"], "utf-16")
    check("a comment above is the text of a name", c.hover("mean 1"), "mean: function, line 2\n⍝ the mean of an array\nmean←{(+/⍵)÷≢⍵}\n")
    check("a program that is right has no errors", c.errors, [])
    check("comments under a header, too", c.hover("scale tools"),
          "scale: function, line 4\n∇ r←scale x;half\n ⍝ twice as large\n")
    check("a glyph is explained", "tally" in c.hover("≢"), True)
    check("behind an emoji", "diamond" in c.hover("⋄"), True)
    check("a control word", "if" in c.hover(":If").lower(), True)
    check("nothing about a number", c.hover("1 2 3"), None)
    got = c.at("definition", "mean half")
    check("definition of a function", (got["uri"], span(got["range"])), (c.uri, (1, 0, 4)))
    check("definition of a local name", span(c.at("definition", "half\n :Else")["range"]), (3, 12, 16))
    check("a dfn's own name", span(c.at("definition", "half×4")["range"]), (9, 6, 10))
    check("a member of a namespace", span(c.at("definition", "twice m")["range"]), (13, 1, 6))
    check("references behind an emoji", [span(i["range"]) for i in c.at("references", "mean←", context={"includeDeclaration": True})],
          [(1, 0, 4), (2, 20, 24), (7, 5, 9)])
    check("references without the definition", len(c.at("references", "mean←", context={"includeDeclaration": False})), 2)
    check("highlights", [i["kind"] for i in c.at("documentHighlight", "m←mean")], [3, 2])
    edits = c.at("rename", "half", newName="part")["changes"][c.uri]
    check("rename leaves the dfn's name alone", [span(e["range"]) for e in edits],
          [(3, 12, 16), (5, 1, 5), (6, 7, 11), (7, 10, 14), (9, 22, 26)])
    check("rename to a name in use", c.at("rename", "half", newName="x"), "that name is in use here")
    check("rename to what is no name", c.at("rename", "half", newName="2x"), "that is no name")
    check("rename of a glyph", c.at("rename", "÷≢", newName="y"), "no name is here")
    check("may be renamed", span(c.at("prepareRename", "mean half")), (7, 5, 9))
    outline = c.ask("textDocument/documentSymbol")
    check("outline", [(s["name"], s["kind"], [k["name"] for k in s["children"]]) for s in outline],
          [("mean", 12, []), ("n", 13, []), ("m", 13, []), ("scale", 12, []), ("tools", 3, ["twice"])])
    colours = c.ask("textDocument/semanticTokens/full")["data"]
    legend = c.can["semanticTokensProvider"]["legend"]["tokenTypes"]
    rows = PROGRAM.split("\n")
    named, row, unit = [], 0, 0
    for i in range(0, len(colours), 5):
        down, along, n, kind, _ = colours[i:i + 5]
        row, unit = row + down, along if down else unit + along
        text = rows[row].encode("utf-16-le")[2 * unit:2 * (unit + n)].decode("utf-16-le")
        named.append((text, legend[kind]))
    check("colours of a line", named[1:10], [("mean", "function"), ("+", "operator"), ("/", "decorator"), ("⍵", "parameter"),
          ("÷", "operator"), ("≢", "operator"), ("⍵", "parameter"), ("n", "variable"), ("'😀 and more'", "string")])
    check("colours of others", [t for t in named if t[1] in ("keyword", "namespace", "comment")],
          [("⍝ the mean of an array", "comment"), ("⍝ twice as large", "comment"), (":If", "keyword"), (":Else", "keyword"),
           (":EndIf", "keyword"), (":Namespace", "keyword"), ("tools", "namespace"), (":EndNamespace", "keyword"),
           ("tools", "namespace")])

    check("completion by the name of a glyph", ("⍳  iota", "⍳") in c.complete("2×iot"), True)
    check("completion by ` and a key", c.complete("2×`i")[0], ("⍳  iota", "⍳"))
    check("completion by ` and a name", c.complete("2×`rev")[0], ("⌽  reverse", "⌽"))
    check("completion of ⎕-names", ("⎕JSON", "⎕JSON") in c.complete("⎕js"), True)
    check("completion of the file's names", c.complete("sca")[0], ("scale", "scale"))
    check("completion of control words", c.complete(" :EndN"), [("EndNamespace", "EndNamespace")])
    check("no completion in a comment", c.complete("2 ⍝ iot"), [])
    check("no completion in a text", c.complete("'iot"), [])

    c.change({"range": {"start": {"line": 2, "character": 3}, "end": {"line": 2, "character": 5}}, "text": "𝕏"})
    c.text = PROGRAM.replace("😀", "𝕏")
    check("a change within a line that has an emoji", span(c.at("definition", "mean 1")["range"]), (1, 0, 4))
    check("and it is still right", c.errors, [])
    c.change({"text": "a←(1\nb←2\nc←d]\n"})
    c.ask("textDocument/documentSymbol")
    check("all errors of a text", [(span(e["range"]), e["message"]) for e in c.errors][0],
          ((0, 2, 3), "SYNTAX ERROR: ( is not closed"))
    c.change({"text": "a←1\nb←)2\nc←a\n'open\n"})
    c.ask("textDocument/documentSymbol")
    check("errors of several lines", [e["range"]["start"]["line"] for e in c.errors], [1, 3])
    c.change({"text": "f←{\r\n1 + ⍵\r\n}\r\n"})
    check("formatting", [(e["newText"]) for e in c.ask("textDocument/formatting", options={})], ["f←{\n  1+⍵\n}\n"])
    c.change({"text": "f←{\n  1+⍵\n}\n"})
    check("formatting of what is in form", c.ask("textDocument/formatting", options={}), [])
    c.change({"text": "f←(1"})
    check("formatting of what is wrong", "bracket" in c.ask("textDocument/formatting", options={}), True)
    c.change({"range": {"start": {"line": 99, "character": 9}, "end": {"line": 999, "character": 0}}, "text": ")"})
    c.text = "f←(1)"
    check("a place behind the end is the end", c.hover("f")[:8], "f: array")
    check("another text", c.request("textDocument/hover", {"textDocument": {"uri": "x"}, "position": {}})["error"]["code"], -32602)
    check("an unknown method", c.request("textDocument/none", {})["error"]["code"], -32601)
    check("it ends when it is told", c.end(), 0)

    c = Client(vapl, "r←f x\n r←x+y\n", "file:///a/f.aplf")
    check("a file that is one function", [s["name"] for s in c.ask("textDocument/documentSymbol")], ["f"])
    check("without errors", c.errors, [])
    c.end()


def broken(vapl):
    hello = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
    bye = frame({"jsonrpc": "2.0", "id": 9, "method": "shutdown"}) + frame({"jsonrpc": "2.0", "method": "exit"})

    def codes(data):
        return [m["error"]["code"] for m in raw(vapl, data)[0] if "error" in m]

    check("no JSON", codes(hello + frame(b"{") + bye), [-32700])
    check("no object", codes(hello + frame(b"[1]") + bye), [-32600])
    check("nothing in it", codes(hello + frame(b"") + bye), [-32700])
    check("deep nesting", codes(hello + frame(b"[" * 100000) + bye), [-32700])
    check("no length", codes(hello + b"Content-Type: x\r\n\r\n" + bye), [-32700])
    check("a length that is no number", codes(hello + b"Content-Length: 12x\r\n\r\n" + bye), [-32700])
    check("a negative length", codes(hello + b"Content-Length: -5\r\n\r\n" + bye), [-32700])
    check("a huge length", codes(hello + b"Content-Length: 99999999999999\r\n\r\nabc"), [-32600])
    check("a truncated message", raw(vapl, hello + b"Content-Length: 100\r\n\r\n{")[1:], (1, ""))
    check("too early", codes(frame({"id": 1, "method": "textDocument/hover"}) + hello + bye), [-32002])
    check("too late", codes(hello + bye[:bye.index(b"Content-Length", 5)] + frame({"id": 1, "method": "textDocument/hover"})),
          [-32600])
    check("parameters of the wrong kind", codes(hello + frame({"id": 1, "method": "textDocument/hover", "params": [1]}) + bye), [-32602])
    check("the end of input is an end", raw(vapl, hello)[1], 1)
    check("nothing at all", raw(vapl, b""), ([], 1, ""))


def fuzz(vapl, count, seed):
    """Sessions of messages that are damaged, or have places and texts that fit nothing."""
    rng = random.Random(seed)
    methods = ["hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename",
               "documentSymbol", "formatting", "semanticTokens/full"]
    pieces = ["∇ r←f x", "∇", ":If ", ":EndIf", "{", "}", "(", ")", "[", "]", "⋄", "←", "⍵", "⍺⍺", "a", "b", "'", '"', "⍝", "\n",
              "\r", "\r\n", "😀", "𝕏", "1 2", "+/", "#.", ".", ":", ";", "`i", ":Namespace n", ":EndNamespace", " ", "\0", "⎕IO",
              "]plan x", ":For i :In ", ":EndFor", ":Class c", ":EndClass", "(a b)←", "a b←", ":Field Public x←1"]
    for k in range(count):
        uri = rng.choice(["file:///a.apl", "file:///f.aplf", "untitled:1", ""])
        doc = {"textDocument": {"uri": uri}}

        def text(most):
            return "".join(rng.choice(pieces) for _ in range(rng.randrange(most)))

        def place():
            return {"line": rng.choice([0, 1, 2, 3, 5, 9, -1, 10 ** 12]), "character": rng.choice([0, 1, 2, 3, 4, 7, 15, -3, 10 ** 15])}

        def message(i):
            kind = rng.randrange(8)
            if kind < 3:
                change = {"text": text(20)}
                if rng.random() < 0.8:
                    change["range"] = {"start": place(), "end": place()}
                return {"method": "textDocument/didChange", "params": {**doc, "contentChanges": [change]}}
            if kind == 3 and rng.random() < 0.1:
                return {"method": "textDocument/didClose", "params": doc}
            if kind == 3:
                return {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "text": text(60)}}}
            return {"id": i, "method": "textDocument/" + rng.choice(methods),
                    "params": {**doc, "position": place(), "newName": rng.choice(["q", "a", "2", ""])}}

        data = frame({"id": 0, "method": "initialize", "params": {}})
        for i in range(60):
            body = json.dumps(message(i), ensure_ascii=rng.random() < 0.5).encode()
            if rng.random() < 0.1:
                body = bytearray(body)
                for _ in range(rng.randrange(1, 4)):
                    body[rng.randrange(len(body))] = rng.randrange(256)
            data += frame(bytes(body))
        if rng.random() < 0.2:
            data = data[:rng.randrange(len(data))]
        _, code, said = raw(vapl, data)
        if code not in (0, 1) or said:
            with open(f"lsp-{seed}-{k}.bin", "wb") as f:
                f.write(data)
            check(f"session {k} of seed {seed}: exit code {code}", said[:2000], "")
            return
    check("fuzz", True, True)


def main():
    vapl = sys.argv[1]
    if "--fuzz" in sys.argv:
        rest = sys.argv[sys.argv.index("--fuzz") + 1:]
        fuzz(vapl, int(rest[0]), int(rest[1]) if len(rest) > 1 else 1)
    else:
        said = subprocess.run([vapl, "lsp"], input=b"", capture_output=True).stderr
        if b"jansson" in said:
            print("lsp: skipped, libjansson-dev was missing when vapl was built")
            return 77
        features(vapl)
        broken(vapl)
    print(f"{PASSED} passed, {FAILED} failed")
    return FAILED > 0


if __name__ == "__main__":
    sys.exit(main())
