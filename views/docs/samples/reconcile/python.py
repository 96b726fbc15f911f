# python3 conciliar.py 2026-11-21
import json
import os
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

day = sys.argv[1]
query = {
    "approvedFrom": f"{day}T00:00:00-03:00",
    "approvedTo": f"{day}T23:59:59.999-03:00",
    "limit": 100,
}
payments = []
while True:
    request = Request(
        f"{os.environ['BASE_URL']}/api/transactions?{urlencode(query)}",
        headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    )
    try:
        with urlopen(request, timeout=30) as response:
            page = json.load(response)
    except HTTPError as error:
        sys.exit(json.load(error)["message"])
    payments += page["data"]
    if not page["nextCursor"]:
        break
    query["cursor"] = page["nextCursor"]

for payment in payments:
    reference = payment["externalReference"] or "null"
    print(reference, payment["totalCents"], payment["refundedCents"])
received_cents = sum(payment["totalCents"] for payment in payments)
print(f"{len(payments)} pagamentos, {received_cents} centavos")
