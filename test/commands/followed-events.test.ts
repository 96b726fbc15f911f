// Where `listen` ends at once, since what is at the address is not the service.
import { expect, test } from 'vitest'
import { followEvents } from '../../src/commands/listen.ts'
import { answerWith, findRefusingUrl, openReceiver } from '../support/receiver.ts'

const UNHEARD = { onOpen() {}, onWaiting() {}, async onEvent() {} }

function follow(server: string) {
  const { signal } = new AbortController()
  return followEvents(
    { server, key: 'sk_live_1', types: ['transaction.approved'], signal },
    UNHEARD,
  )
}

test('an address without an answer is not waited for', async () => {
  const url = await findRefusingUrl()

  await expect(follow(url)).rejects.toThrow(
    /^No answer from http.*\(connect ECONNREFUSED .*\): check --server, and that the service is running\.$/,
  )
})

test('an address at which something else answers is not waited for', async () => {
  const { url } = await openReceiver(answerWith(200))

  await expect(follow(url)).rejects.toThrow(/is not this service: check --server\.$/)
})
