# bash conciliar.sh 2026-11-21
set -euo pipefail

cursor= count=0 receivedCents=0
while
  page=$(curl -sS --fail-with-body --get "$BASE_URL/api/transactions" \
    -H "Authorization: Bearer $KEY" \
    -d "approvedFrom=$1T00:00:00-03:00" -d "approvedTo=$1T23:59:59.999-03:00" \
    -d limit=100 ${cursor:+--data-urlencode "cursor=$cursor"}) ||
    { jq -r .message <<<"$page" >&2; exit 1; }
  jq -r '.data[] | "\(.externalReference) \(.totalCents) \(.refundedCents)"' <<<"$page"
  ((count += $(jq '.data | length' <<<"$page"))) || true
  ((receivedCents += $(jq '[.data[].totalCents] | add // 0' <<<"$page"))) || true
  cursor=$(jq -r '.nextCursor // empty' <<<"$page")
  [ -n "$cursor" ]
do :; done
echo "$count pagamentos, $receivedCents centavos"
