"""tile_server.py - a server of tiles, started by `terrane serve`, for tests."""

import http.client
import re
import signal
import socket
import subprocess
import time


class TileServer:
    """A server at a free port. command: the program, as a list of words; words: options of serve"""

    timeout_s = 60  # of a connection

    def __init__(self, command, *words):
        words = [*command, "serve", "--port", "0", *words]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.port = int(re.fullmatch(rb"http://127\.0\.0\.1:(\d+)/\n", self.process.stdout.readline())[1])

    def ask(self, address, method="GET", **headers):
        """Status, body and headers of the answer to a request. Underscores in names of headers stand for hyphens."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout_s)
        connection.request(method, address, headers={name.replace("_", "-"): text for name, text in headers.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body, answer.headers

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=self.timeout_s)

    def ask_for_slow_tiles(self, count):
        """Connections that wait for tiles of the climate. Such a tile takes about a second."""
        clients = [self.connect() for _ in range(count)]
        for n, client in enumerate(clients):
            client.sendall(b"GET /biome/6/%d/%d.png HTTP/1.1\r\nHost: a\r\n\r\n" % (n % 64, n // 64))
        return clients

    def end(self):
        """Interrupt the server. Returns its exit status and the seconds that it took to end."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)
        return self.process.returncode, time.monotonic() - begin
