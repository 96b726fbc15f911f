# bash conferir.sh < corpo.json, com o segredo e os três cabeçalhos no ambiente
set -euo pipefail

secret=$(base64 -d <<<"${WEBHOOK_SECRET#whsec_}" | od -An -v -tx1 | tr -d ' \n')
expected=v1,$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" -binary | base64)

age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
[ "${age#-}" -le 300 ] || { echo 'Antiga demais' >&2; exit 1; }
# Duas assinaturas enquanto o segredo é trocado: basta uma.
for given in $WEBHOOK_SIGNATURE; do
  [ "$given" != "$expected" ] || { echo 'Assinatura confere'; exit 0; }
done
echo 'Assinatura não confere' >&2
exit 1
