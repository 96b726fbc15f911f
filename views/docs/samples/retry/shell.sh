# bash repetir.sh pedido-1044
# --retry obedece a Retry-After; sem --fail, um 4xx não é repetido.
set -euo pipefail

# Num arquivo, para que o que veio antes de repetir não fique na frente.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
curl -sS -o "$answer" --max-time 30 --retry 4 --retry-all-errors "$BASE_URL/api/payment-links" \
  -H "Authorization: Bearer $KEY" \
  -H "Idempotency-Key: $1" \
  -H 'Content-Type: application/json' \
  -d '{"title": "Bolo de cenoura", "amountCents": 1990, "methods": ["pix"]}'
jq -er '.url // (.message | halt_error)' "$answer"
