// What wakes workers sooner: one connection that hears notifications, and is made again when it is lost.
import { expect, onTestFinished, test } from 'vitest'
import { LISTENER_NAME, openListener } from '../../src/database/listen.ts'
import { openDatabase } from '../support/postgres/database.ts'

const { db, url } = await openDatabase()

function listen() {
  const heard: string[] = []
  const listener = openListener(url)
  onTestFinished(() => listener.close())
  listener.subscribe('delivery_due', (payload) => heard.push(payload))
  return { listener, heard }
}

/** Notifies again and again: a notification without a listener is lost. */
async function expectHeard(heard: string[], payload: string) {
  await expect
    .poll(async () => {
      await db.$client.query(`select pg_notify('delivery_due', $1)`, [payload])
      return heard
    })
    .toContain(payload)
}

const OURS = `from pg_stat_activity where datname = current_database() and application_name = $1`

test('what is notified is heard, and heard again after the connection was cut', async () => {
  const { heard } = listen()
  await expectHeard(heard, 'before')

  await db.$client.query(`select pg_terminate_backend(pid) ${OURS}`, [LISTENER_NAME])

  await expectHeard(heard, 'after')
})

test('a listener that is renewed has another connection, and one that is closed has none', async () => {
  const { listener, heard } = listen()
  const readPids = async () =>
    (await db.$client.query(`select pid ${OURS}`, [LISTENER_NAME])).rows.map(({ pid }) => pid)
  await expectHeard(heard, 'before')
  const [before] = await readPids()

  listener.renew()
  await expect.poll(async () => (await readPids()).filter((pid) => pid !== before)).toHaveLength(1)
  await expectHeard(heard, 'after')
  await listener.close()

  await expect.poll(readPids).toEqual([])
})
