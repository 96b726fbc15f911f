# bash reembolsar.sh 019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17
set -euo pipefail

curl -sS --fail-with-body "$BASE_URL/api/transactions/$1/refunds" \
  -H "Authorization: Bearer $KEY" \
  -H "Idempotency-Key: reembolso-$1" \
  -H 'Content-Type: application/json' \
  -d '{"amountCents": 500, "reason": "Chegou sem a cobertura"}' |
  jq -r 'if .id then "\(.status) \(.amountCents)" else .message end'
