"""A webhook receiver: checks the signature, acts on each event once, answers at once.

WEBHOOK_SECRET=whsec_… PORT=4000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Calls that are older or newer than this are refused: somebody may be replaying a recording.
TOLERANCE_SECONDS = 5 * 60
BODY_BYTES_MAX = 1_000_000


def is_signed(secret, headers, body, now=None):
    """Whether this secret signed the body (bytes, as they came) within the last five minutes."""
    message_id = headers.get("webhook-id")
    timestamp = headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature")
    if not message_id or not timestamp or not signatures or not timestamp.isdecimal():
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # There are several signatures while a secret is being rotated. One of them must match.
    return any(hmac.compare_digest(given.encode(), expected.encode()) for given in signatures.split(" "))


class Receiver(BaseHTTPRequestHandler):
    secret = os.environ.get("WEBHOOK_SECRET", "")
    # In production this belongs in your database, in the transaction that acts on the event.
    seen = set()

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length) if length <= BODY_BYTES_MAX else b""
        if not is_signed(self.secret, self.headers, body):
            self.answer(400)
            return
        event = json.loads(body)
        if event["id"] not in self.seen:
            self.seen.add(event["id"])
            print(event["type"], event["object"]["id"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "4000"))
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
