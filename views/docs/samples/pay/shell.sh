# bash pagar.sh k7Pm3XwQzt
set -euo pipefail

curl -sS --fail-with-body -X POST "$BASE_URL/api/payment-links/$1/simulate-payment" \
  -H "Authorization: Bearer $KEY" | jq -r 'if .id then "\(.id) \(.status)" else .message end'
