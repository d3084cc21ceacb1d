"""A receiver of webhooks, with nothing but Python's standard library: WEBHOOK_SECRET=... PORT=9000.

It checks `webhook-signature` (Standard Webhooks), which signs delivery id, time and body, and so also ends replays.
`X-Service-Signature: sha256=<hex>` signs the body alone, with the characters of the secret as they are.
"""

import base64
import binascii
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

AGE_SECONDS_MAX = 300
BODY_BYTES_MAX = 1_000_000
# A delivery may come again for days; a service that restarts keeps these ids in its database, under a unique key.
REMEMBERED_MAX = 100_000


def key_of(secret):
    """A generated secret is `whsec_` and base64; one of your own choosing is used as it is."""
    encoded = secret[len("whsec_"):] if secret.startswith("whsec_") else ""
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        decoded = b""
    is_base64 = decoded and base64.b64encode(decoded).decode() == encoded
    return decoded if is_base64 else secret.encode()


def is_genuine(key, headers, body):
    """Whether the headers belong to the very bytes of the body and are fresh.

    While a secret is replaced there are two signatures.
    """
    delivery_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "").split(" ")
    if not delivery_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > AGE_SECONDS_MAX:
        return False
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # compare_digest takes the same time wherever the first difference is.
    return any([hmac.compare_digest(text.encode(), expected) for text in signatures])


def handle(event):
    """What you do with an event; quickly, for the sender waits 15 seconds."""
    error = f" ({event['error_code']})" if event.get("error_code") else ""
    print(f"{event['id']} is {event['indexing_status']}{error}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    # Connections are kept for further deliveries.
    protocol_version = "HTTP/1.1"
    # Of a sender that falls silent.
    timeout = 30
    key = b""
    seen = {}
    lock = threading.Lock()

    def do_POST(self):
        try:
            status = self.receive()
        except Exception as error:  # Anything but a 2xx brings the delivery again.
            self.log_error("%r", error)
            status = 500
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def receive(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,12}", length):
            self.close_connection = True
            return 411
        if int(length) > BODY_BYTES_MAX:
            self.close_connection = True
            return 413
        # The bytes as they came: parsed and written again they would have another signature.
        body = self.rfile.read(int(length))
        if not is_genuine(self.key, self.headers, body):
            return 401
        delivery_id = self.headers["webhook-id"]
        with self.lock:
            if delivery_id in self.seen:
                return 200
            handle(json.loads(body))
            # Only what was handled is remembered, so that a failure is sent again.
            self.seen[delivery_id] = True
            if len(self.seen) > REMEMBERED_MAX:
                del self.seen[next(iter(self.seen))]
        return 204

    def log_message(self, *args):
        """Nothing but events is printed."""


if __name__ == "__main__":
    Receiver.key = key_of(os.environ["WEBHOOK_SECRET"])
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "9000"))), Receiver)
    print(f"receiving on port {server.server_port}", flush=True)
    server.serve_forever()
