// Paths that another program of ours answers, at the same server. Loading one stops the process for as long as it
// takes, so that main.ts loads it before it says that the process is ready; a test or a command that asks for none of
// its paths never does.
import type { FastifyInstance } from 'fastify'
import { endAnswers, endOnClosing } from './closing.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Another program answers this request, and its hooks tell of it. */
    isHandedOver: boolean
  }
  interface FastifyInstance {
    /** Loads each of the other programs that is not loaded yet; throws where one cannot be built. */
    loadPrograms(): Promise<void>
    programLoads: (() => Promise<unknown>)[]
  }
}

/** `paths` begin so. Once for each of the other programs, before the hooks that all of them have. */
export function handOver(
  app: FastifyInstance,
  paths: RegExp,
  build: () => Promise<FastifyInstance>,
) {
  let program: Promise<FastifyInstance> | undefined
  const buildOnce = async () => {
    try {
      return await build()
    } catch (error) {
      program = undefined
      throw error
    }
  }
  const load = () => {
    program ??= buildOnce()
    return program
  }

  if (!app.hasReplyDecorator('isHandedOver')) {
    app.decorateReply('isHandedOver', false)
    const loads: (() => Promise<unknown>)[] = []
    app.decorate('programLoads', loads)
    app.decorate('loadPrograms', async () => {
      for (const loadProgram of loads) await loadProgram()
    })
  }
  app.programLoads.push(load)
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request
    if (!paths.test(url.includes('%') ? decodePath(url) : url)) return done()
    void load().then(({ routing }) => {
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
