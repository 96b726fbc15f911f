// node pagar.mjs k7Pm3XwQzt
const { BASE_URL, KEY } = process.env
const [, , slug] = process.argv

const response = await fetch(`${BASE_URL}/api/payment-links/${slug}/simulate-payment`, {
  method: 'POST',
  headers: { authorization: `Bearer ${KEY}` },
})
const transaction = await response.json()
if (!response.ok) throw new Error(transaction.message)

console.log(transaction.id, transaction.status)
