// node listar.mjs
const { BASE_URL, KEY } = process.env

async function* every(path, filters) {
  let cursor
  do {
    const query = new URLSearchParams({ ...filters, limit: 100, ...(cursor && { cursor }) })
    const response = await fetch(`${BASE_URL}${path}?${query}`, {
      headers: { authorization: `Bearer ${KEY}` },
    })
    const page = await response.json()
    if (!response.ok) throw new Error(page.message)
    yield* page.data
    cursor = page.nextCursor
  } while (cursor)
}

for await (const transaction of every('/api/transactions', { status: 'approved' })) {
  console.log(transaction.id, transaction.totalCents)
}
