// node conciliar.mjs 2026-11-21
const { BASE_URL, KEY } = process.env
const [, , day] = process.argv

let [cursor, count, receivedCents] = ['', 0, 0]
do {
  const query = new URLSearchParams({
    approvedFrom: `${day}T00:00:00-03:00`,
    approvedTo: `${day}T23:59:59.999-03:00`,
    limit: 100,
    ...(cursor && { cursor }),
  })
  const response = await fetch(`${BASE_URL}/api/transactions?${query}`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  const page = await response.json()
  if (!response.ok) throw new Error(page.message)
  for (const { externalReference, totalCents, refundedCents } of page.data) {
    console.log(externalReference, totalCents, refundedCents)
    count += 1
    receivedCents += totalCents
  }
  cursor = page.nextCursor
} while (cursor)
console.log(`${count} pagamentos, ${receivedCents} centavos`)
