# python3 criar.py (só a biblioteca padrão)
import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

link = {
    "title": "Bolo de cenoura",
    "amountCents": 1990,
    "methods": ["pix", "credit_card"],
    "maxInstallments": 3,
    "externalReference": "pedido-1042",
}
request = Request(
    f"{os.environ['BASE_URL']}/api/payment-links",
    data=json.dumps(link).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['KEY']}",
        "Content-Type": "application/json",
        "Idempotency-Key": "pedido-1042",
    },
)

try:
    with urlopen(request, timeout=30) as response:
        print(json.load(response)["url"])
except HTTPError as error:
    sys.exit(json.load(error)["message"])
