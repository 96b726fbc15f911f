// Payers and a shop that creates links, working without a pause, whatever breaks meanwhile.
import { expect } from 'vitest'
import { buildTestCard, newPayerAddress, PIX } from '../payer.ts'
import type { Installation } from './installation.ts'
import { openRequests } from './requests.ts'
import { buildFilledForm, postForm } from './traffic.ts'

const PAUSE_MS = 15
/** The API lets a key make 100 links a minute. */
const LINK_PAUSE_MS = 650
const AGAIN_AFTER_MS = 50
/** So many payments show that all goes on. */
const SOME = 10

type Requests = ReturnType<typeof openRequests>
export type Payers = ReturnType<typeof startPayers>

let payers = 0
let links = 0

/** Payers go on until `stop`. A payer without an answer asks again; one of three gives up. */
export function startPayers({ url, merchant }: Installation, count = 5) {
  const requests = openRequests()
  /** The pages of payments that their payers were told are paid. */
  const receipts: string[] = []
  /** The titles of links that were made, as the shop was told. */
  const made: string[] = []
  const repeat = async (pauseMs: number, work: () => Promise<void>) => {
    while (!requests.isOver()) {
      await work()
      await requests.pause(pauseMs)
    }
  }
  const shopping = repeat(LINK_PAUSE_MS, async () => {
    const title = await makeLink({ url, merchant }, requests)
    if (title) made.push(title)
  })
  const paying = Array.from({ length: count }, (_, i) =>
    repeat(PAUSE_MS, async () => {
      const path = await payOnce(`${url}/pagar/${merchant.slug}`, requests, i % 2 === 0)
      if (path) receipts.push(path)
    }),
  )

  return {
    ...{ failures: requests.failures, receipts, made, sum: requests.sum },
    /** Waits until some more payments were made. */
    async payMore() {
      const enough = receipts.length + SOME
      const soon = { timeout: 60_000, interval: 25 }
      await expect.poll(() => receipts.length, soon).toBeGreaterThan(enough)
    },
    /** What has no answer yet is asked for until it has. */
    async stop() {
      requests.stop()
      await Promise.all([shopping, ...paying])
    },
  }
}

/** The page of the payment, once it says that it is paid. */
async function payOnce(link: string, { send }: Requests, byPix: boolean) {
  const name = `Pagador ${++payers}`
  const againAfterMs = payers % 3 === 0 ? null : AGAIN_AFTER_MS
  const ask = (what: string, accepted: number, run: () => Promise<Response>) =>
    send({ what, accepted, run, againAfterMs })
  const page = await ask('form', 200, () => fetch(link))
  if (!page) return undefined

  const filled = { name, ...(byPix ? PIX : buildTestCard('ok')) }
  const body = buildFilledForm(await page.text(), filled)
  const address = newPayerAddress()
  const what = byPix ? 'Pix' : 'card'
  const sent = await ask(what, 303, () => postForm(`${link}/payments`, body, address))
  const path = sent?.headers.get('location')
  if (!path) return undefined

  const at = new URL(path, link).href
  if (byPix) await ask('Pix paid', 303, () => postForm(`${at}/simulate`))
  const answer = await ask('status', 200, () => fetch(`${at}/status`))
  const { state } = (await answer?.json()) ?? {}
  return state === 'approved' ? path : undefined
}

/** Its title. Half of them go without an Idempotency-Key, and those are not sent twice. */
async function makeLink(
  { url, merchant }: Pick<Installation, 'url' | 'merchant'>,
  { send }: Requests,
) {
  const title = `Bolo ${++links}`
  const isKeyed = links % 2 === 1
  const key = isKeyed ? { 'idempotency-key': `bolo-${links}` } : {}
  const body = JSON.stringify({ title, amountCents: 1_990, methods: ['pix'] })
  const headers = { ...merchant.headers, ...key }
  const answer = await send({
    what: 'link',
    accepted: 201,
    run: () => fetch(`${url}/api/payment-links`, { method: 'POST', headers, body }),
    againAfterMs: isKeyed ? LINK_PAUSE_MS : null,
  })
  return answer && title
}
