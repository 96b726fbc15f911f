// Paths that another program of ours answers, at the same server: it is loaded and built when the first of them is
// asked for, so that whoever asks for none waits for none of it at the start and keeps none of it in memory.
import type { FastifyInstance } from 'fastify'
import { collectOnceLoaded } from '../../memory.ts'
import { endAnswers, endOnClosing } from './closing.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Another program answers this request, and its hooks tell of it. */
    isHandedOver: boolean
  }
}

/** `paths` begin so. Once for each of the other programs, before the hooks that all of them have. */
export function handOver(
  app: FastifyInstance,
  paths: RegExp,
  build: () => Promise<FastifyInstance>,
) {
  let program: Promise<FastifyInstance> | undefined
  const load = async () => {
    try {
      return await build()
    } catch (error) {
      program = undefined
      throw error
    } finally {
      collectOnceLoaded()
    }
  }

  if (!app.hasReplyDecorator('isHandedOver')) app.decorateReply('isHandedOver', false)
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request
    if (!paths.test(url.includes('%') ? decodePath(url) : url)) return done()
    program ??= load()
    void program.then(({ routing }) => {
      reply.isHandedOver = true
      reply.hijack()
      routing(request.raw, reply.raw)
    }, done)
  })
  // Where it cannot be built, whoever asked is told so; nothing is left to end.
  const awaitBuilt = async () => program?.catch(() => undefined)
  endOnClosing(app, () => void awaitBuilt().then((built) => built && endAnswers(built)))
  app.addHook('onClose', async () => (await awaitBuilt())?.close())
}

/** As the router reads it. */
function decodePath(url: string) {
  const [path = ''] = url.split(/[?#]/, 1)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
