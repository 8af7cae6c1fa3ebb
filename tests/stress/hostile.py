"""A server that answers as Prometheus would, and in every way that it should not."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time


class HostileServer:
    """Listens on a port of its own until it is closed; what it does with a request is chance."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self.requests = 0
        self._closed = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._door.close()

    def _serve(self) -> None:
        while not self._closed.is_set():
            try:
                caller, _ = self._door.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(caller,), daemon=True).start()

    def _answer(self, caller: socket.socket) -> None:
        self.requests += 1
        with caller, contextlib.suppress(OSError):
            caller.settimeout(5)
            caller.recv(4096)
            self._chance.choice(
                (self._nothing, self._drips, self._endless, self._garbage, self._moves, self._well)
            )(caller)

    def _nothing(self, caller: socket.socket) -> None:
        self._closed.wait(self._chance.uniform(0, 8))

    def _drips(self, caller: socket.socket) -> None:
        for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" * 2:
            caller.send(bytes([byte]))
            if self._closed.wait(0.5):
                return

    def _endless(self, caller: socket.socket) -> None:
        caller.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + b"[" * 1000)
        until = time.monotonic() + 5
        while time.monotonic() < until and not self._closed.is_set():
            caller.send(b'{"a":' * 10_000)

    def _garbage(self, caller: socket.socket) -> None:
        body = self._chance.randbytes(2000)
        caller.send(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n" + body)

    def _moves(self, caller: socket.socket) -> None:
        caller.send(b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n")

    def _well(self, caller: socket.socket) -> None:
        metric = {"__name__": "DCGM_FI_DEV_POWER_USAGE", "gpu": "0\x1b[31m", "UUID": "\u202eGPU"}
        value = self._chance.choice(("300", "NaN", "-1", "1e999", "\x1b]0;pwn\x07"))
        result = [{"metric": metric, "value": [time.time(), value]}]
        data = {"status": "success", "data": {"resultType": "vector", "result": result}}
        body = json.dumps(data).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
        caller.send(head.encode() + body)
