# python3 listar.py
import json
import os
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


def every(path, **filters):
    query = {**filters, "limit": 100}
    while True:
        request = Request(
            f"{os.environ['BASE_URL']}{path}?{urlencode(query)}",
            headers={"Authorization": f"Bearer {os.environ['KEY']}"},
        )
        try:
            with urlopen(request, timeout=30) as response:
                page = json.load(response)
        except HTTPError as error:
            sys.exit(json.load(error)["message"])
        yield from page["data"]
        if not page["nextCursor"]:
            return
        query["cursor"] = page["nextCursor"]


for transaction in every("/api/transactions", status="approved"):
    print(transaction["id"], transaction["totalCents"])
