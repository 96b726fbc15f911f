// What is asked of both programs: the same work, to each in its own words.
import type { Request } from 'autocannon'
import { cpf } from 'cpf-cnpj-validator'
import { bindCursor } from '../../src/api/list-query.ts'
import { newToken } from '../../src/database/id.ts'
import { LINKS, linkBody, type Seeded, type SeededLink } from './seed.ts'

export type Side = 'service' | 'control'

/** The requests of one of so many connections, which sends them in turn and over again. */
export type RequestsOf = (connection: number, connections: number) => Request[]

export type Work = {
  title: string
  /** What every answer must have; any other is an error. */
  status: number
  requests: Record<Side, RequestsOf>
}

/** The first links are paid, the others listed and shown. */
export const PAID_LINKS = 50
const PAYERS = 5_000
/** Each has begun a payment soon: where many codes are open, networks that are new have to wait. */
const NETWORKS = 199

export const payers = Array.from({ length: PAYERS }, (_, i) => {
  return { name: `Ana Souza ${i % 26}`, email: `ana${i}@example.com`, taxId: cpf.generate() }
})

/** @param quote what the service's page says its prices are */
export function listWorks({ links, secrets }: Seeded, quote: string): Work[] {
  const unpaid = links.slice(PAID_LINKS)
  const pages = share(unpaid, ({ slug }) => ({ path: `/pagar/${slug}` }))
  return [
    {
      title: 'create a link',
      status: 201,
      requests: {
        service: share(secrets, (secret) => creation('/api/payment-links', keyOf(secret))),
        control: share(secrets, () => creation('/payment-links', {})),
      },
    },
    {
      title: `list 20 of ${LINKS} links`,
      status: 200,
      requests: {
        service: share(secrets, (secret, i) => ({
          path: `/api/payment-links?cursor=${cursorOf(unpaid.at(-i - 1)!)}`,
          headers: keyOf(secret),
        })),
        control: share(secrets, (_, i) => ({
          path: `/payment-links?below=${unpaid.at(-i - 1)!.id}`,
        })),
      },
    },
    { title: 'checkout page', status: 200, requests: { service: pages, control: pages } },
    {
      title: 'Pix payment on the sandbox',
      status: 303,
      requests: paymentsOf(links.slice(0, PAID_LINKS), quote),
    },
  ]
}

function creation(path: string, headers: Record<string, string>): Request {
  const body = JSON.stringify(linkBody)
  return { method: 'POST', path, headers: { ...headers, 'content-type': 'application/json' }, body }
}

export function keyOf(secret: string) {
  return { authorization: `Bearer ${secret}` }
}

function cursorOf({ id }: SeededLink) {
  return bindCursor('/api/payment-links', Buffer.from(id).toString('base64url'))
}

/** Every payment is another attempt; the payers come back now and then. */
function paymentsOf(links: SeededLink[], quote: string): Work['requests'] {
  const forms = payers.map((payer) =>
    new URLSearchParams({ method: 'pix', installments: '1', ...payer, quote }).toString(),
  )
  const pays = (pathOf: (link: SeededLink) => string) =>
    everyTime((turn) => {
      const path = `/pagar/${pathOf(links[turn % links.length]!)}/payments`
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `198.18.0.${turn % NETWORKS}`,
      }
      const body = `attempt=${newToken()}&${forms[turn % forms.length]}`
      return { method: 'POST', path, headers, body }
    })
  return { service: pays(({ slug }) => slug), control: pays(({ id }) => id) }
}

/** Deals the items out among the connections; their requests are made once. */
function share<Item>(items: Item[], toRequest: (item: Item, i: number) => Request): RequestsOf {
  return (connection, connections) =>
    items.flatMap((item, i) => (i % connections === connection ? [toRequest(item, i)] : []))
}

/** A new one each time. */
export function everyTime(next: (turn: number) => Request): RequestsOf {
  let turn = 0
  return () => [{ setupRequest: (request) => ({ ...request, ...next(turn++) }) }]
}
