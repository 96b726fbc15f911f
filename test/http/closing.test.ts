import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { openTestApp } from '../support/test-app.ts'

const { anotherProcess } = await openTestApp()

test('a connection without a request does not hold up the end', async () => {
  const app = await anotherProcess()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const unused = connect(port, '127.0.0.1')
  const used = connect(port, '127.0.0.1')
  used.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(used, 'data')

  await app.close()
  await Promise.all([unused, used].map((socket) => socket.destroyed || once(socket, 'close')))

  expect(String(answer)).toMatch(/^HTTP\/1\.1 200/)
  expect([unused.destroyed, used.destroyed]).toEqual([true, true])
})
