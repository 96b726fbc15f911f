# Sem dependências: python3 webhook.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()  # em produção, uma tabela com webhook-id único


def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False

    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    digest = hmac.new(SECRET, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    # Duas assinaturas enquanto o segredo é trocado: basta uma.
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(400)

        self.answer(204)
        event_id = self.headers["webhook-id"]
        if event_id in seen:
            return
        seen.add(event_id)
        event = json.loads(body)
        print(event["type"], event["data"], flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", 4000))), Hook).serve_forever()
