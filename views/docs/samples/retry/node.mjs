// node repetir.mjs pedido-1044
const { BASE_URL, KEY } = process.env

async function send(path, body, key) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(BASE_URL + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null) // a rede caiu: não se sabe se chegou

    // null também se caiu no meio da resposta, ou se um proxy respondeu em HTML
    const answer = await response?.json().catch(() => null)
    if (response?.ok && answer) return answer
    const refused = response?.status >= 400 && response.status < 500 && response.status !== 429
    if (refused && answer?.code !== 'idempotency_in_progress') {
      throw new Error(answer?.message ?? `HTTP ${response.status}`)
    }
    if (attempt === 5) throw new Error(answer?.message ?? 'Sem resposta')
    const seconds = Number(response?.headers.get('retry-after')) || 2 ** attempt
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

const link = { title: 'Bolo de cenoura', amountCents: 1990, methods: ['pix'] }
const { url } = await send('/api/payment-links', link, process.argv[2])
console.log(url)
