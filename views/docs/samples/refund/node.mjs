// node reembolsar.mjs 019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17
const { BASE_URL, KEY } = process.env
const [, , transactionId] = process.argv

const response = await fetch(`${BASE_URL}/api/transactions/${transactionId}/refunds`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    'idempotency-key': `reembolso-${transactionId}`,
  },
  body: JSON.stringify({ amountCents: 500, reason: 'Chegou sem a cobertura' }),
})
const refund = await response.json()
if (!response.ok) throw new Error(refund.message)

console.log(refund.status, refund.amountCents)
