# python3 pagar.py k7Pm3XwQzt
import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

slug = sys.argv[1]
request = Request(
    f"{os.environ['BASE_URL']}/api/payment-links/{slug}/simulate-payment",
    method="POST",
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
)

try:
    with urlopen(request, timeout=30) as response:
        transaction = json.load(response)
except HTTPError as error:
    sys.exit(json.load(error)["message"])
print(transaction["id"], transaction["status"])
