// What the fake Woovi holds, written from its OpenAPI description: charges under the merchant's correlation
// ids, money that came in, refunds, disputes, webhooks.
import { randomBytes } from 'node:crypto'
import { buildBrCode } from '../../../../src/providers/br-code.ts'
import type { Answer, Asked } from '../server.ts'

type BookedCharge = ReturnType<typeof newCharge>
type BookedRefund = {
  status: string
  value: number
  correlationID: string
  endToEndId: string
  time: string
  comment?: string
}
export type BookedPix = { endToEndId: string; value: number; time: string; charge: string }
type BookedWebhook = { id: string; event: string; url: string; isActive: boolean }

export function newBook(now: () => Date) {
  return {
    now,
    charges: new Map<string, BookedCharge>(),
    /** Their ids are not free again. */
    removed: new Set<string>(),
    pix: [] as BookedPix[],
    refunds: new Map<string, BookedRefund[]>(),
    disputes: new Map<string, { status: string; value?: number; type: string }>(),
    webhooks: [] as BookedWebhook[],
    manner: {
      /** What was made before is refused, in words, instead of answered. */
      refusesRepeats: false,
      /** Documents of payers are not known here. */
      refusesCustomers: false,
      refundStatus: 'CONFIRMED',
      /** Refunds are not listed yet, though their ids are taken. */
      lagsBehind: false,
      balanceIsShort: false,
      /** Money is not listed yet. */
      hidesPayments: false,
      /** Lists hold everything there is, whatever was asked for. */
      ignoresFilters: false,
      /** How it writes what it answers. */
      speak: (body: object): unknown => body,
    },
  }
}

type Book = ReturnType<typeof newBook>

export function answerFrom(book: Book, asked: Asked): Answer {
  const route = ROUTES.find(([method, path]) => method === asked.method && path.test(asked.path))
  if (!route) return { status: 404 }
  const [, id = ''] = route[1].exec(asked.path) ?? []
  return route[2](book, { ...asked, id: decodeURIComponent(id) })
}

type Call = Asked & { id: string }

const ROUTES: [string, RegExp, (book: Book, call: Call) => Answer][] = [
  ['POST', /^\/charge$/, createCharge],
  ['GET', /^\/charge\/([^/]+)$/, readCharge],
  ['DELETE', /^\/charge\/([^/]+)$/, removeCharge],
  ['POST', /^\/charge\/([^/]+)\/refund$/, createRefund],
  ['GET', /^\/charge\/([^/]+)\/refund$/, listRefunds],
  ['POST', /^\/refund$/, createPixRefund],
  ['GET', /^\/refund\/([^/]+)$/, readPixRefund],
  ['GET', /^\/transaction$/, listPix],
  ['GET', /^\/dispute\/([^/]+)$/, readDispute],
  ['GET', /^\/dispute$/, listDisputes],
  ['GET', /^\/webhook$/, listWebhooks],
  ['POST', /^\/webhook$/, createWebhook],
]

function createCharge(book: Book, { body, query }: Call): Answer {
  const correlationID = String(body.correlationID)
  const known = book.charges.get(correlationID)
  if (known && query.return_existing === 'true' && !book.manner.refusesRepeats) {
    return buildAnswer({ charge: known, correlationID, brCode: known.brCode })
  }
  if (known || book.removed.has(correlationID)) {
    return buildRefusal('Já existe uma cobrança com o correlationID fornecido')
  }
  if (body.customer && book.manner.refusesCustomers) return buildRefusal('CPF/CNPJ inválido')
  const charge = newCharge(body as ChargeBody, book.now())
  book.charges.set(correlationID, charge)
  return buildAnswer({ charge, correlationID, brCode: charge.brCode })
}

type ChargeBody = {
  correlationID: string
  value: number
  comment: string
  expiresIn: number
  customer?: { name: string; taxID?: string }
}

function newCharge(body: ChargeBody, now: Date) {
  const { correlationID, value, comment, expiresIn, customer } = body
  const txid = correlationID.replaceAll('-', '')
  const at = now.toISOString()
  return {
    status: 'ACTIVE',
    type: 'DYNAMIC',
    value,
    comment,
    correlationID,
    identifier: txid,
    transactionID: txid,
    globalID: Buffer.from(`Charge:${txid}`).toString('base64'),
    ...(customer && {
      customer: {
        name: customer.name,
        ...(customer.taxID && { taxID: { taxID: customer.taxID, type: 'BR:CPF' } }),
      },
    }),
    brCode: buildBrCode({
      location: `pix.fake-woovi.example/qr/v2/${txid}`,
      amountCents: value,
      merchantName: 'Padaria Sol',
      merchantCity: 'Recife',
    }),
    additionalInfo: [],
    fee: 85,
    // Text, as the description has it, though its examples are numbers.
    expiresIn: String(expiresIn),
    expiresDate: new Date(now.getTime() + expiresIn * 1000).toISOString(),
    createdAt: at,
    updatedAt: at,
  }
}

function readCharge(book: Book, { id }: Call): Answer {
  const charge = book.charges.get(id)
  if (!charge) return buildRefusal('Cobrança não encontrada')
  const isOver = charge.status === 'ACTIVE' && charge.expiresDate <= book.now().toISOString()
  if (isOver) charge.status = 'EXPIRED'
  return buildAnswer({ charge })
}

function removeCharge(book: Book, { id }: Call): Answer {
  const charge = book.charges.get(id)
  if (!charge) return buildRefusal('Cobrança não encontrada')
  if (charge.status === 'COMPLETED') return buildRefusal('Cobrança já foi paga')
  book.charges.delete(id)
  book.removed.add(id)
  return buildAnswer({ status: 'OK', id })
}

/** A payer pays the code, whatever has become of the charge; with an empty id, the account itself. */
export function payFakeCharge(book: Book, id: string, value: number): BookedPix {
  const charge = book.charges.get(id)
  const pix = {
    endToEndId: newEndToEndId('E', book.now()),
    value,
    charge: id,
    time: formatNow(book),
  }
  book.pix.push(pix)
  if (charge) charge.status = 'COMPLETED'
  return pix
}

function createRefund(book: Book, { id, body }: Call): Answer {
  const { correlationID, value, comment } = body as {
    correlationID: string
    value: number
    comment?: string
  }
  const refunds = book.refunds.get(id) ?? []
  const known = refunds.find((one) => one.correlationID === correlationID)
  const { refusesRepeats, lagsBehind } = book.manner
  if (known && !refusesRepeats && !lagsBehind) return buildAnswer({ refund: known })
  if (known) return buildRefusal('correlationID já utilizado')
  if (book.manner.balanceIsShort)
    return buildRefusal('Saldo insuficiente para realizar o reembolso')
  const received = book.pix.filter(({ charge, endToEndId }) => charge === id || endToEndId === id)
  const left = received.reduce((sum, pix) => sum + pix.value, 0) - sumBookedRefunds(book, id)
  if (value > left) return buildRefusal('Valor do reembolso é maior do que o disponível')
  const refund = bookRefund(book, id, value, correlationID)
  return buildAnswer({ refund: Object.assign(refund, comment && { comment }) })
}

/** Of a Pix without a charge, under its own end-to-end id. */
function createPixRefund(book: Book, call: Call): Answer {
  const answer = createRefund(book, { ...call, id: String(call.body.transactionEndToEndId) })
  const { refund } = answer.body as { refund?: BookedRefund }
  return refund ? buildAnswer({ refund: toPixRefund(refund) }) : answer
}

/** Woovi has other words for the states of a refund without a charge. */
function toPixRefund({ status, value, correlationID, endToEndId, time }: BookedRefund) {
  const words: Record<string, string> = { CONFIRMED: 'REFUNDED', REJECTED: 'NOT_ACCOMPLISHED' }
  return { status: words[status] ?? status, value, correlationID, refundId: endToEndId, time }
}

function readPixRefund(book: Book, { id }: Call): Answer {
  const refund = [...book.refunds.values()].flat().find((one) => one.correlationID === id)
  return refund
    ? buildAnswer({ pixTransactionRefund: toPixRefund(refund) })
    : buildRefusal('Reembolso não encontrado')
}

/** Money goes back to the payer; without an id of ours it was done at Woovi. */
export function bookRefund(book: Book, id: string, value: number, correlationID = newId()) {
  const endToEndId = newEndToEndId('D', book.now())
  const status = book.manner.refundStatus
  const refund = { status, value, correlationID, endToEndId, time: formatNow(book) }
  book.refunds.set(id, [...(book.refunds.get(id) ?? []), refund])
  return refund
}

export function sumBookedRefunds(book: Book, id: string) {
  return (book.refunds.get(id) ?? [])
    .filter(({ status }) => status !== 'REJECTED')
    .reduce((sum, { value }) => sum + value, 0)
}

function listRefunds(book: Book, { id }: Call): Answer {
  if (!book.charges.has(id)) return buildRefusal('Cobrança não encontrada')
  return buildAnswer({ refunds: book.manner.lagsBehind ? [] : (book.refunds.get(id) ?? []) })
}

/** Of the two words of each the description has the sets the wrong way round; so are they told here. */
function listPix(book: Book, { query }: Call): Answer {
  const { hidesPayments, ignoresFilters } = book.manner
  const [skip, limit] = [Number(query.skip ?? 0), Number(query.limit ?? 100)]
  const all = ignoresFilters || query.charge === undefined
  const { start = '', end = '9' } = query
  const wanted = book.pix.filter(
    ({ charge, time }) =>
      !hidesPayments && (all || charge === query.charge) && time >= start && time <= end,
  )
  const received = wanted.slice(skip, skip + limit).map(({ charge, ...told }) => ({
    ...{ ...told, type: 'CONFIRMED', status: 'PAYMENT' },
    ...(charge && {
      transactionID: charge.replaceAll('-', ''),
      charge: { correlationID: charge, status: 'COMPLETED' },
    }),
  }))
  const hasNextPage = wanted.length > skip + limit
  const pageInfo = { skip, limit, hasPreviousPage: skip > 0, hasNextPage }
  return buildAnswer({ status: 'OK', transactions: received, pageInfo })
}

function readDispute(book: Book, { id }: Call): Answer {
  const dispute = book.disputes.get(id)
  if (!dispute) return buildRefusal('Dispute not found')
  const { value, ...told } = dispute
  // Text, as the description has it.
  const amount = value !== undefined && { value: String(value) }
  return buildAnswer({ dispute: { ...told, ...amount, endToEndId: id } })
}

function listDisputes({ disputes }: Book): Answer {
  const listed = [...disputes].map(([endToEndId, { value, status, type }]) => {
    return { ...{ endToEndId, status, type }, ...(value !== undefined && { value }) }
  })
  const pageInfo = { skip: 0, limit: 100, hasPreviousPage: false, hasNextPage: false }
  return buildAnswer({ disputes: listed, pageInfo })
}

function listWebhooks(book: Book, { query }: Call): Answer {
  return buildAnswer({
    webhooks: book.webhooks.filter(({ url }) => !query.url || url === query.url),
  })
}

function createWebhook(book: Book, { body }: Call): Answer {
  const webhook = { ...(body.webhook as BookedWebhook), id: newId() }
  book.webhooks.push(webhook)
  return buildAnswer({ webhook })
}

function formatNow({ now }: Book) {
  return now().toISOString()
}

function newId() {
  return randomBytes(12).toString('hex')
}

function newEndToEndId(first: 'E' | 'D', now: Date) {
  const minute = now.toISOString().replace(/\D/g, '').slice(0, 12)
  return `${first}54811417${minute}${randomBytes(6).toString('hex').slice(0, 11)}`
}

function buildAnswer(body: object): Answer {
  return { status: 200, body }
}

function buildRefusal(error: string): Answer {
  return { status: 400, body: { error } }
}
