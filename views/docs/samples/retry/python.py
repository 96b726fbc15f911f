# python3 repetir.py pedido-1044
import json
import os
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def send(path, body, key):
    request = Request(
        os.environ["BASE_URL"] + path,
        data=json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['KEY']}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        },
    )
    for attempt in range(1, 6):
        seconds = 2**attempt
        try:
            with urlopen(request, timeout=30) as response:
                return json.load(response)
        except HTTPError as error:
            refused = error.code != 429 and error.code < 500
            answer = json.load(error) if refused else {}  # um proxy responde em HTML
            if refused and answer.get("code") != "idempotency_in_progress":
                sys.exit(answer["message"])
            wait = error.headers.get("Retry-After", "")
            seconds = int(wait) if wait.isdigit() else seconds
        except (OSError, HTTPException, ValueError):
            pass  # a rede caiu, antes ou no meio da resposta: não se sabe se chegou
        time.sleep(seconds)
    sys.exit("Sem resposta")


link = {"title": "Bolo de cenoura", "amountCents": 1990, "methods": ["pix"]}
print(send("/api/payment-links", link, sys.argv[1])["url"])
