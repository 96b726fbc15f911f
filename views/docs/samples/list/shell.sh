# bash listar.sh
set -euo pipefail

cursor=
while
  page=$(curl -sS --fail-with-body --get "$BASE_URL/api/transactions" \
    -H "Authorization: Bearer $KEY" \
    -d status=approved -d limit=100 ${cursor:+--data-urlencode "cursor=$cursor"}) ||
    { jq -r .message <<<"$page" >&2; exit 1; }
  jq -r '.data[] | "\(.id) \(.totalCents)"' <<<"$page"
  cursor=$(jq -r '.nextCursor // empty' <<<"$page")
  [ -n "$cursor" ]
do :; done
