// A merchant's receiver that outlives a test, can be away, and trusts no webhook that its library refuses.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { reservePort } from '../port.ts'

type Hit = { headers: IncomingHttpHeaders; body: string; at: number }

export async function startHookReceiver() {
  const hits: Hit[] = []
  const refused: string[] = []
  let secret = ''
  let answering = Promise.resolve()
  let answerDelayMs = 0
  const port = await reservePort()
  let server = await listen()

  return {
    url: `http://127.0.0.1:${port}/`,
    hits,
    /** Why what came was not believed. */
    refused,
    /** Of the endpoint that sends here. */
    trust(given: string) {
      secret = given
    },
    /** Keeps requests waiting until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      answering = promise
      return resolve
    },
    takeYourTime(ms: number) {
      answerDelayMs = ms
    },
    async goAway() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    async comeBack() {
      server = await listen()
    },
  }

  async function listen() {
    const started = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const { headers } = request
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>)
        hits.push({ headers, body, at: performance.now() })
      } catch (error) {
        refused.push(String(error))
      }
      await answering
      await sleep(answerDelayMs)
      response.end()
    })
    started.listen(port, '127.0.0.1')
    await once(started, 'listening')
    return started
  }
}
