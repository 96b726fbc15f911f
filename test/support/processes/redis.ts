// A Redis or Valkey of the test's, that forgets everything when it ends.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { reservePort } from '../port.ts'
import { makeFolder, reapAtExit } from './reaper.ts'

/** What of the two this machine has. */
export function findRedis() {
  return ['redis-server', 'valkey-server'].find(
    (program) => spawnSync(program, ['--version']).status === 0,
  )
}

export async function startRedis(program = findRedis()) {
  if (!program) throw new Error('Neither Redis nor Valkey is installed')
  const port = await reservePort()
  const folder = makeFolder('redis')
  let server = await launch(program)
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
    /** It takes connections and what is sent on them, and answers nothing until it is thawed. */
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    /** On the same port, with nothing in it. */
    async resume() {
      server = await launch(program)
    },
  }

  async function launch(name: string) {
    const options = ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder]
    const redis = reapAtExit(spawn(name, options, { stdio: ['ignore', 'pipe', 'ignore'] }))
    for await (const chunk of redis.stdout) {
      if (String(chunk).includes('Ready to accept connections')) return redis
    }
    throw new Error(`${name} did not start`)
  }
}
