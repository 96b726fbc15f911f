// What is asked of both programs: the same work, to each in its own words.
import type { Request } from 'autocannon'
import { cpf } from 'cpf-cnpj-validator'
import { sealCursor } from '../../src/api/list-query.ts'
import { MAX_UUID, newToken } from '../../src/database/id.ts'
import { linkBody, MILLION, type Seeded, type SeededLink } from './seed.ts'

export type Side = 'service' | 'control'

/** The requests of one of so many connections, which sends them in turn and over again. */
export type RequestsOf = (connection: number, connections: number) => Request[]

type WorkName =
  | 'create'
  | 'createUnknownKeys'
  | 'createColdKeys'
  | 'firstList'
  | 'list'
  | 'page'
  | 'firstPage'
  | 'pix'
  | 'listMillion'

export type Work = {
  name: WorkName
  title: string
  /** What every answer must have; any other is an error. */
  status: number
  requests: Record<Side, RequestsOf>
  /** Where only so many are to be had for a round, which then ends with the last. */
  roundRequests?: number
}

const SEEN_LINKS = 300
const PAID_LINKS = 50
const PAYERS = 5_000
/** Each has begun a payment soon: where many codes are open, networks that are new have to wait. */
const NETWORKS = 199
const LIST_POSITIONS = 2_000

/** @param quote what the service's page says its prices are */
export function listWorks(seeded: Seeded, quote: string): [create: Work, ...others: Work[]] {
  const { links, secrets } = seeded
  const pages = links.slice(-SEEN_LINKS)
  const unseen = links.slice(PAID_LINKS, -SEEN_LINKS)
  return [
    {
      name: 'create',
      title: 'create a link',
      status: 201,
      requests: {
        service: share(secrets, (secret) => creation('/api/payment-links', keyOf(secret))),
        control: share(secrets, () => creation('/payment-links', {})),
      },
    },
    listing(seeded, 'firstList', links.length),
    listing(seeded, 'list', links.length),
    {
      name: 'page',
      title: 'checkout page, link seen before',
      status: 200,
      requests: { service: share(pages, pageOf), control: share(pages, pageOf) },
    },
    {
      name: 'firstPage',
      title: 'checkout page, link not seen before',
      status: 200,
      requests: { service: each(unseen, pageOf), control: each(unseen, pageOf) },
    },
    {
      name: 'pix',
      title: 'Pix payment on the sandbox',
      status: 303,
      requests: paymentsOf(links.slice(0, PAID_LINKS), quote),
    },
  ]
}

/** Of keys each of which is used once, for the first time since the service was started. */
export function listUnknownKeysWork({ coldSecrets }: Seeded, roundRequests: number): Work {
  return onceEach('createUnknownKeys', 'create, keys not seen before', coldSecrets, roundRequests)
}

/** Of the same keys, a minute later. */
export function listColdKeysWork({ coldSecrets }: Seeded, roundRequests: number): Work {
  return onceEach(
    'createColdKeys',
    'create, keys not used in this minute',
    coldSecrets,
    roundRequests,
  )
}

export function listMillionWork(seeded: Seeded): Work {
  return listing(seeded, 'listMillion', MILLION)
}

function onceEach(name: WorkName, title: string, secrets: string[], roundRequests: number): Work {
  return {
    ...{ name, title, status: 201, roundRequests },
    requests: {
      service: each(secrets, (secret) => creation('/api/payment-links', keyOf(secret))),
      control: each(secrets, () => creation('/payment-links', {})),
    },
  }
}

/** The first page, which programs ask for again and again, or pages further down. */
function listing({ links, secrets }: Seeded, name: WorkName, count: number): Work {
  const below = links.slice(-LIST_POSITIONS)
  const isFirst = name === 'firstList'
  return {
    ...{ name, title: `list 20 of ${count} links${isFirst ? '' : ', further down'}`, status: 200 },
    requests: {
      service: share(secrets, (secret, i) => ({
        path: `/api/payment-links${isFirst ? '' : `?cursor=${cursorOf(below[i % below.length]!)}`}`,
        headers: keyOf(secret),
      })),
      control: share(below, ({ id }) => ({
        path: `/payment-links?below=${isFirst ? MAX_UUID : id}`,
      })),
    },
  }
}

function creation(path: string, headers: Record<string, string>): Request {
  const body = JSON.stringify(linkBody)
  return { method: 'POST', path, headers: { ...headers, 'content-type': 'application/json' }, body }
}

function pageOf({ slug }: SeededLink): Request {
  return { path: `/pagar/${slug}` }
}

export function keyOf(secret: string) {
  return { authorization: `Bearer ${secret}` }
}

function cursorOf({ id }: SeededLink) {
  return sealCursor('/api/payment-links', Buffer.from(id).toString('base64url'))
}

/** Every payment is another attempt; the payers come back now and then. */
function paymentsOf(links: SeededLink[], quote: string): Work['requests'] {
  const forms = Array.from({ length: PAYERS }, (_, i) => {
    const payer = {
      name: `Ana Souza ${i % 26}`,
      email: `ana${i}@example.com`,
      taxId: cpf.generate(),
    }
    return new URLSearchParams({ method: 'pix', installments: '1', ...payer, quote }).toString()
  })
  const pays = (pathOf: (link: SeededLink) => string) => {
    let turn = 0
    return everyTime(() => {
      const form = forms[turn % forms.length]
      const path = `/pagar/${pathOf(links[turn++ % links.length]!)}/payments`
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `198.18.0.${turn % NETWORKS}`,
      }
      return { method: 'POST', path, headers, body: `attempt=${newToken()}&${form}` }
    })
  }
  return { service: pays(({ slug }) => slug), control: pays(({ id }) => id) }
}

/** Deals the items out among the connections; their requests are made once. */
function share<Item>(items: Item[], toRequest: (item: Item, i: number) => Request): RequestsOf {
  return (connection, connections) =>
    items.flatMap((item, i) => (i % connections === connection ? [toRequest(item, i)] : []))
}

/** Each item once, until there are no more and it starts again. */
function each<Item>(items: Item[], toRequest: (item: Item) => Request): RequestsOf {
  let turn = 0
  return everyTime(() => toRequest(items[turn++ % items.length]!))
}

export function everyTime(next: () => Request): RequestsOf {
  return () => [{ setupRequest: (request) => ({ ...request, ...next() }) }]
}
