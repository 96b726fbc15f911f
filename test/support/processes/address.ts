// The address that a database is known by, as a proxy, a name or a provider's balancer gives it: it stays
// while what stands behind it changes.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export async function openAddress(target: number) {
  const sockets = new Set<Socket>()
  let behind = target
  const server = createServer((client) => {
    const upstream = connect(behind, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    /** For connections from now on; what stands stays as it is. */
    pointTo(next: number) {
      behind = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
