// What a process keeps in memory: only what the database would tell it of, and only while it hears.
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createCache } from '../../src/database/cache.ts'
import { newId } from '../../src/database/id.ts'
import { type Listener, openListener } from '../../src/database/notifications.ts'
import { openDatabase } from '../support/postgres/database.ts'
import { runStatement } from '../support/postgres/statement.ts'

const { db, url } = await openDatabase()

const listener = openListener(db, url)
afterAll(() => listener.close())

const notify = (channel: string, payload: string) =>
  db.$client.query('select pg_notify($1, $2)', [channel, payload])

/** Remembers texts by key; `loads` tells what was read, and `answer` how. */
function rememberingOn(on: Listener, max = 10) {
  const loads: string[] = []
  const how = { answer: async (key: string): Promise<string | undefined> => `${key}!` }
  const load = (key: string) => {
    loads.push(key)
    return how.answer(key)
  }
  const ends = (value: string, payload: string) => value === `${payload}!`
  return {
    find: createCache(load, { listener: on, evict: { link_changed: ends }, maxEntries: max }),
    loads,
    how,
  }
}

/** The same, once its channel is heard. */
async function remembering(on = listener, max = 10) {
  const made = rememberingOn(on, max)
  const mark = newId()
  let heard = false
  on.subscribe('link_changed', (payload) => {
    heard ||= payload === mark
  })
  const tell = async () => {
    await notify('link_changed', mark)
    return heard
  }
  await expect.poll(on.isLive).toBe(true)
  await expect.poll(tell, { interval: 5 }).toBe(true)
  return made
}

test('what changed before its channel was heard is not remembered for ever', async () => {
  await expect.poll(listener.isLive).toBe(true)
  const { find, how } = rememberingOn(listener)
  await find('a')

  await notify('link_changed', 'a')
  how.answer = async () => 'new'

  await expect.poll(() => find('a')).toBe('new')
})

test('what was read is remembered until the database says that it changed', async () => {
  const { find, loads } = await remembering()
  await find('a')
  await find('b')

  expect([await find('a'), await find('b'), loads]).toEqual(['a!', 'b!', ['a', 'b']])
  await notify('link_changed', 'a')

  await expect.poll(async () => [await find('a'), loads.length]).toEqual(['a!', 3])
  await find('b')
  expect(loads).toEqual(['a', 'b', 'a'])
})

test('whoever has caught up has heard of all that changed before', async () => {
  const { find, loads } = await remembering()

  for (let i = 0; i < 50; i++) {
    await find('a')
    await notify('link_changed', 'a')
    await listener.catchUp()
  }

  await find('a')
  expect(loads).toHaveLength(51)
})

test.each<[string, () => Promise<never>]>([
  ['does not answer', () => new Promise(() => {})],
  ['refuses', () => Promise.reject(new Error('no more connections'))],
])('nobody who catches up waits for a database that %s', async (_what, query) => {
  const other = openListener(db, url)
  onTestFinished(() => other.close())
  await expect.poll(other.isLive).toBe(true)
  vi.spyOn(db.$client, 'query').mockImplementation(query)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const caughtUp = other.catchUp()
  await vi.advanceTimersByTimeAsync(1_000)

  await expect(caughtUp).resolves.toBeUndefined()
})

test('equal questions at once share one load, and nothing found is asked for again', async () => {
  const { find, loads, how } = await remembering()
  expect(await Promise.all([find('a'), find('a'), find('a')])).toEqual(['a!', 'a!', 'a!'])

  how.answer = async () => undefined
  expect([await find('b'), await find('b')]).toEqual([undefined, undefined])

  expect(loads).toEqual(['a', 'b', 'b'])
})

test('a load that fails is not remembered', async () => {
  const { find, how } = await remembering()
  how.answer = () => Promise.reject(new Error('no database'))
  await expect(find('a')).rejects.toThrow('no database')

  how.answer = async () => 'here'

  expect(await find('a')).toBe('here')
})

test('what changes while it is read is not remembered', async () => {
  const { find, loads, how } = await remembering()
  const [read, heard] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  listener.subscribe('link_changed', (payload) => payload === 'a' && heard.resolve())
  how.answer = () => read.promise
  const asked = find('a')

  await notify('link_changed', 'a')
  await heard.promise
  read.resolve('old')
  expect(await asked).toBe('old')

  how.answer = async () => 'new'
  expect([await find('a'), await find('a'), loads.length]).toEqual(['new', 'new', 2])
})

test('no more is remembered than was allowed, and the oldest is forgotten first', async () => {
  const { find, loads } = await remembering(listener, 2)

  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await find(key)

  expect(loads).toEqual(['a', 'b', 'c', 'a'])
})

test('nothing is remembered while changes cannot be heard', async () => {
  const errors: Error[] = []
  const deaf = openListener(db, 'postgres://127.0.0.1:1/nowhere', {
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => deaf.close())
  const { find, loads } = rememberingOn(deaf)

  for (let i = 0; i < 3; i++) expect(await find('a')).toBe('a!')

  expect(deaf.isLive()).toBe(false)
  expect(loads).toEqual(['a', 'a', 'a'])
  await expect.poll(() => errors.length).toBeGreaterThan(0)
})

test('a listener that hears nothing of what the pool says is deaf, and keeps nothing', async () => {
  const elsewhere = await openDatabase()
  let told = 0
  const deaf = openListener(db, elsewhere.url, { onDeaf: () => told++ })
  onTestFinished(() => deaf.close())
  const { find, loads } = rememberingOn(deaf)

  await expect.poll(deaf.isDeaf, { timeout: 10_000 }).toBe(true)
  for (let i = 0; i < 3; i++) await find('a')

  await deaf.catchUp()
  expect([deaf.isLive(), told, loads]).toEqual([false, 1, ['a', 'a', 'a']])
})

test('a channel that was just subscribed to is not believed before it is proven', async () => {
  await expect.poll(listener.isLive).toBe(true)

  listener.subscribe('provider_account_changed', () => {})

  expect(listener.isLive()).toBe(false)
  await expect.poll(listener.isLive).toBe(true)
})

test('what proves that changes are heard is no message to anybody', async () => {
  const said: (string | null)[] = []
  const other = openListener(db, url)
  onTestFinished(() => other.close())
  other.subscribe('company_changed', (payload) => said.push(payload))
  await expect.poll(other.isLive).toBe(true)

  await notify('company_changed', 'a')

  await expect.poll(() => said).toEqual([null, 'a'])
})

test('when the listener was cut off everything is forgotten, and remembered again later', async () => {
  const { find, loads } = await remembering()
  await find('a')

  await runStatement(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'vintem listener' and datname = current_database()`,
  )

  await expect.poll(listener.isLive).toBe(false)
  await find('a')
  expect(loads).toEqual(['a', 'a'])
  await expect.poll(listener.isLive, { timeout: 5_000 }).toBe(true)
  await find('a')
  await find('a')
  expect(loads).toEqual(['a', 'a', 'a'])
})
