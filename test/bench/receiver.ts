// Receives webhooks in a process of its own, so that no load stands in their way, and keeps how many
// milliseconds after the payment's approval each came in. GET / hands them over.
import Fastify from 'fastify'

let latenciesMs: number[] = []
const app = Fastify()

app.post<{ Body: { timestamp: string } }>('/', ({ body }, reply) => {
  latenciesMs.push(Date.now() - Date.parse(body.timestamp))
  return reply.code(204).send()
})

app.get('/', () => {
  const answer = latenciesMs
  latenciesMs = []
  return answer
})

process.once('SIGTERM', () => app.close())
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
