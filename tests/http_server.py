# SPDX-License-Identifier: MIT
"""A server on 127.0.0.1 for tests/http.sh, which ends by itself: http_server.py FILE [SECONDS].
Its port goes into FILE. What a path does is said in `do`."""
import gzip
import http.server
import json
import os
import socketserver
import sys
import threading
import time

BLOCK = b"0123456789abcdef" * 4096


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, body, kind="text/plain; charset=utf-8", status=200, headers=()):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def do(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        path = self.path.split("?")[0]
        if path == "/text":
            self.answer("grüß dich\n".encode())
        elif path == "/twice.aplf":
            self.answer("r←twice x\n r←2×x\n".encode())
        elif path == "/bytes":
            self.answer(bytes(range(256)), "application/octet-stream")
        elif path == "/latin":
            self.answer("grüß".encode("latin-1"), "text/plain; charset=ISO-8859-1")
        elif path == "/wrong":
            self.answer(b"\xff\xfe", "text/plain; charset=utf-8")
        elif path == "/json":
            self.answer(json.dumps({"a": [1, 2, 3], "b": "grüß"}).encode(), "application/json")
        elif path == "/echo":
            said = {"command": self.command, "path": self.path, "body": body.decode("latin-1"),
                    "headers": {k.lower(): v for k, v in self.headers.items()}}
            self.answer(json.dumps(said).encode(), "application/json")
        elif path.startswith("/status/"):
            self.answer(b"", status=int(path[8:]))
        elif path.startswith("/redirect/"):
            n = int(path[10:])
            to = "/redirect/%d" % (n - 1) if n else "/text"
            self.answer(b"", status=302, headers=[("Location", to)])
        elif path == "/see-other":
            self.answer(b"", status=303, headers=[("Location", "/echo")])
        elif path == "/to-file":
            self.answer(b"", status=302, headers=[("Location", "file:///etc/hostname")])
        elif path == "/gzip":
            self.answer(gzip.compress(b"zipped " * 1000), headers=[("Content-Encoding", "gzip")])
        elif path == "/bad-gzip":
            self.answer(b"this is not zipped", headers=[("Content-Encoding", "gzip")])
        elif path == "/chunks":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for k in range(10):
                self.chunk(b"part %d " % k)
            self.chunk(b"")
        elif path.startswith("/big/"):
            n = int(path[5:])
            self.send_response(200)
            self.send_header("Content-Length", str(n))
            self.end_headers()
            while n:
                part = BLOCK[:n]
                self.wfile.write(part)
                n -= len(part)
        elif path.startswith("/slow/"):
            time.sleep(float(path[6:]))
            self.answer(b"late")
        elif path == "/drop":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"half")
            self.close_connection = True
        elif path == "/cookies":
            self.answer(b"", headers=[("Set-Cookie", "a=1; Path=/"), ("Set-Cookie", "b=x=y")])
        elif path == "/long-head":
            self.answer(b"", headers=[("X-Long", "x" * 60000)] * 30)
        elif path == "/nonsense":
            self.wfile.write(b"\x00\x01\x02 nonsense\r\n\r\n")
            self.close_connection = True
        else:
            self.answer(b"nothing here", status=404)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # who asked has gone


server = Server(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
threading.Timer(float(sys.argv[2]) if len(sys.argv) > 2 else 120, lambda: os._exit(0)).start()
server.serve_forever()
