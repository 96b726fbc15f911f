# bash criar.sh (curl 7.76 ou mais novo, e jq para ler a resposta)
set -euo pipefail

curl -sS --fail-with-body "$BASE_URL/api/payment-links" \
  -H "Authorization: Bearer $KEY" \
  -H 'Idempotency-Key: pedido-1042' \
  -H 'Content-Type: application/json' \
  -d '{
    "title": "Bolo de cenoura",
    "amountCents": 1990,
    "methods": ["pix", "credit_card"],
    "maxInstallments": 3,
    "externalReference": "pedido-1042"
  }' | jq -r '.url // .message'
