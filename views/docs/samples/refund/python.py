# python3 reembolsar.py 019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17
import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

transaction_id = sys.argv[1]
request = Request(
    f"{os.environ['BASE_URL']}/api/transactions/{transaction_id}/refunds",
    data=json.dumps({"amountCents": 500, "reason": "Chegou sem a cobertura"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['KEY']}",
        "Content-Type": "application/json",
        "Idempotency-Key": f"reembolso-{transaction_id}",
    },
)

try:
    with urlopen(request, timeout=30) as response:
        refund = json.load(response)
except HTTPError as error:
    sys.exit(json.load(error)["message"])
print(refund["status"], refund["amountCents"])
