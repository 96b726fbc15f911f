// npm install fastify standardwebhooks
import Fastify from 'fastify'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const seen = new Set() // em produção, uma tabela com webhook-id único
const app = Fastify()

// O corpo tem de chegar como veio: um JSON relido e reescrito muda a assinatura.
const asItCame = { parseAs: 'buffer' }
app.addContentTypeParser('application/json', asItCame, async (_request, body) => body)

app.post('/hook', async (request, reply) => {
  let event
  try {
    event = webhook.verify(request.body, request.headers)
  } catch {
    return reply.code(400).send()
  }
  reply.code(204).send()

  const id = request.headers['webhook-id']
  if (seen.has(id)) return
  seen.add(id)
  console.log(event.type, event.data)
})

await app.listen({ port: process.env.PORT ?? 4000 })
