// Sem dependências (Node 20 ou mais novo): node webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const secret = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')
const seen = new Set() // em produção, uma tabela com webhook-id único

function isGenuine(headers, body) {
  const timestamp = headers['webhook-timestamp']
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false

  const signed = `${headers['webhook-id']}.${timestamp}.${body}`
  const expected = Buffer.from(`v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
  // Duas assinaturas enquanto o segredo é trocado: basta uma.
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

createServer(async (request, response) => {
  const body = await text(request).catch(() => '') // a conexão pode cair no meio
  if (!isGenuine(request.headers, body)) return response.writeHead(400).end()

  response.writeHead(204).end()
  const id = request.headers['webhook-id']
  if (seen.has(id)) return
  seen.add(id)
  const { type, data } = JSON.parse(body)
  console.log(type, data)
}).listen(process.env.PORT ?? 4000)
