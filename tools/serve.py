#!/usr/bin/env python3
"""Serves a folder on this machine only: serve.py FOLDER [--port PORT] [--check]

Prints one line with the address once it listens. PORT 0 takes a free one. --check only says whether
the port is free, by its exit status.
"""

import argparse
import errno
import functools
import http.server
import os
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    # The types that modules and streamed WebAssembly need, whatever the system's table says.
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json; charset=utf-8",
        ".mjs": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webp": "image/webp",
    }
    protocol_version = "HTTP/1.1"

    def end_headers(self):
        # No caching, so that a reload shows the last build.
        self.send_header("Cache-Control", "no-store")
        # A sandboxed frame has an opaque origin, so its modules and its WebAssembly are cross-origin.
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # A browser that closes a connection early is nothing to report.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description="Serve a folder on this machine only.")
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--check", action="store_true", help="only see whether the port is free")
    arguments = parser.parse_args()
    if not 0 <= arguments.port <= 65535:
        sys.exit(f"attention-live: {arguments.port} is not a port: it must be from 0 to 65535.")

    handler = functools.partial(Handler, directory=arguments.folder)
    try:
        server = Server(("127.0.0.1", arguments.port), handler)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = "is in use by another program"
        else:
            reason = f"cannot be used ({os.strerror(error.errno)})"
        sys.exit(
            f"attention-live: port {arguments.port} {reason}; "
            f"choose another, for example: make demo PORT={arguments.port % 60000 + 1}"
        )
    if arguments.check:
        server.server_close()
        return
    if not os.path.isfile(os.path.join(arguments.folder, "index.html")):
        sys.exit(f"attention-live: {arguments.folder} has no index.html: build it first (make web).")
    print(f"attention-live is at http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
