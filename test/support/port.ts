// Ports that are bound a while after they were chosen, or left for a while. None is in the range from which the
// system gives free ports: another program could have taken such a port by then, and would answer.
import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST_PORT = 12_000
const WORKERS = 20
const PORTS_A_WORKER = 1_000

/** Each worker has ports of its own; where it begins differs from run to run. */
const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS) * PORTS_A_WORKER
let taken = Math.floor(Math.random() * PORTS_A_WORKER)

/** A port without a listener, which no other caller is given soon. */
export async function reservePort(): Promise<number> {
  taken = (taken + 1) % PORTS_A_WORKER
  const port = first + taken
  return (await isFree(port)) ? port : reservePort()
}

async function isFree(port: number) {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
