// node criar.mjs (Node 18 ou mais novo, sem dependências)
const { BASE_URL, KEY } = process.env

const response = await fetch(`${BASE_URL}/api/payment-links`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    'idempotency-key': 'pedido-1042',
  },
  body: JSON.stringify({
    title: 'Bolo de cenoura',
    amountCents: 1990,
    methods: ['pix', 'credit_card'],
    maxInstallments: 3,
    externalReference: 'pedido-1042',
  }),
})
const link = await response.json()
if (!response.ok) throw new Error(link.message)

console.log(link.url)
