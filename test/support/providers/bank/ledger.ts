// The fake bank's ledger: charges, received Pix and refunds.
import { randomBytes } from 'node:crypto'
import { buildBrCode, formatDecimal } from '../../../../src/providers/br-code.ts'
import type { Answer, Asked } from '../server.ts'
import { buildBankProblem, buildListParameters, parseValorCents, takePage } from './answers.ts'

export type BankDevolution = {
  id: string
  rtrId: string
  valor: string
  horario: { solicitacao: string; liquidacao: string }
  status: string
  natureza: string
  motivo?: string
}
export type BankPix = {
  endToEndId: string
  /** Empty of one that names no charge. */
  txid: string
  valor: string
  horario: string
  chave: string
  devolucoes: BankDevolution[]
}
type CobBody = {
  calendario: { expiracao: number }
  valor: { original: string }
  chave: string
  devedor?: object
  solicitacaoPagador?: string
}
type BankCob = CobBody & {
  txid: string
  revisao: number
  status: string
  calendario: { criacao: string; expiracao: number }
  loc: object
  location: string
  pixCopiaECola: string
}

export type BankLedger = ReturnType<typeof createBankLedger>
type BankRoute = (book: BankLedger, asked: Asked, ...ids: string[]) => Answer

export function createBankLedger(pixKey: string, now: () => Date) {
  return {
    pixKey,
    now,
    cobs: new Map<string, BankCob>(),
    pix: [] as BankPix[],
    webhooks: new Map<string, string>(),
    manner: {
      /** How a refund ends. */
      refundStatus: 'DEVOLVIDO',
      refundReason: undefined as string | undefined,
      /** Refuses to make a charge or a refund again that it has. */
      refusesRepeats: false,
      /** Takes no charge that says this, e.g. `devedor`. */
      refusedField: '',
      /** Does not list the payments with their charge. */
      hidesPayments: false,
      /** Lists the payments with their charge, but not what has gone back of them. */
      hidesDevolutions: false,
      /** What was asked to go back is neither found nor listed yet, though its id is taken. */
      lagsBehind: false,
      /** How far its clock is ahead, by which it says when anything was. */
      clockOffsetMs: 0,
      /** Lists no longer times than this. */
      maxListMs: Number.POSITIVE_INFINITY,
      /** Refuses a list that ends after its own clock. */
      refusesFuture: false,
      /** Lists no larger pages than this. */
      maxPageSize: Number.POSITIVE_INFINITY,
      /** The number of the first page; one before it is refused. */
      firstPage: 0,
      /** Says the number of items of the page for that of all. */
      countsPageAlone: false,
      /** Lists these beside what was asked for, in pages of 100. */
      foreignPix: [] as object[],
      /** How it writes what it answers. */
      speak: (body: object): unknown => body,
    },
  }
}

const ID_GROUP = '([A-Za-z0-9]+)'
const BANK_ROUTES: [RegExp, BankRoute][] = [
  [new RegExp(`^PUT /cob/${ID_GROUP}$`), putCob],
  [new RegExp(`^GET /cob/${ID_GROUP}$`), getCob],
  [new RegExp(`^PATCH /cob/${ID_GROUP}$`), patchCob],
  [/^GET \/cob$/, listCobs],
  [/^GET \/pix$/, listPix],
  [new RegExp(`^GET /pix/${ID_GROUP}$`), getPix],
  [new RegExp(`^PUT /pix/${ID_GROUP}/devolucao/${ID_GROUP}$`), putDevolution],
  [new RegExp(`^GET /pix/${ID_GROUP}/devolucao/${ID_GROUP}$`), getDevolution],
  [/^PUT \/webhook\/([^/]+)$/, putWebhook],
  [/^GET \/webhook\/([^/]+)$/, getWebhook],
]

export function handleBankRequest(book: BankLedger, asked: Asked): Answer {
  const call = `${asked.method} ${asked.path}`
  for (const [route, work] of BANK_ROUTES) {
    const found = route.exec(call)
    if (found) return structuredClone(work(book, asked, ...found.slice(1).map(decodeURIComponent)))
  }
  return buildBankProblem(404, 'NaoEncontrado')
}

/** Somebody pays this charge, whatever its state. */
export function payCob(
  book: BankLedger,
  txid: string,
  amountCents: number,
  more: Partial<BankPix> = {},
) {
  const horario = readBankClock(book)
  const minute = horario.replace(/\D/g, '').slice(0, 12)
  const one = {
    endToEndId: `E00000000${minute}${randomBytes(6).toString('hex').slice(0, 11)}`,
    txid,
    valor: formatDecimal(amountCents),
    horario,
    chave: book.pixKey,
    devolucoes: [],
    ...more,
  }
  book.pix.push(one)
  const cob = book.cobs.get(txid)
  if (cob) cob.status = 'CONCLUIDA'
  return one
}

/** Money goes back at the bank, without us. */
export function returnPix(book: BankLedger, paid: BankPix, amountCents: number, natureza?: string) {
  return addDevolution(
    book,
    paid,
    randomBytes(8).toString('hex'),
    formatDecimal(amountCents),
    natureza,
  )
}

function putCob(book: BankLedger, { text }: Asked, txid: string): Answer {
  const body = JSON.parse(text) as CobBody
  if (Object.hasOwn(body, book.manner.refusedField)) {
    return buildBankProblem(
      400,
      'CobOperacaoInvalida',
      'O objeto cob.devedor não respeita o schema.',
    )
  }
  const known = book.cobs.get(txid)
  if (known && (book.manner.refusesRepeats || known.status !== 'ATIVA')) {
    return buildBankProblem(400, 'CobOperacaoInvalida', 'A cobrança já existe.')
  }
  if (body.chave !== book.pixKey) return buildBankProblem(403, 'AcessoNegado', 'De outra conta.')
  const cob = buildCob(book, txid, body)
  book.cobs.set(txid, cob)
  return { status: 201, body: cob }
}

function readBankClock({ now, manner }: Pick<BankLedger, 'now' | 'manner'>) {
  return new Date(now().getTime() + manner.clockOffsetMs).toISOString()
}

function buildCob(book: BankLedger, txid: string, body: CobBody): BankCob {
  const { cobs } = book
  const criacao = readBankClock(book)
  const location = `pix.example.com/qr/v2/${randomBytes(16).toString('hex')}`
  const merchant = { merchantName: 'Padaria Sol', merchantCity: 'Recife' }
  return {
    ...body,
    txid,
    revisao: 0,
    status: 'ATIVA',
    calendario: { criacao, expiracao: body.calendario.expiracao },
    loc: { id: cobs.size + 1, location, tipoCob: 'cob', criacao },
    location,
    pixCopiaECola: buildBrCode({
      location,
      amountCents: parseValorCents(body.valor.original),
      ...merchant,
    }),
  }
}

function getCob({ cobs, pix, manner }: BankLedger, _: Asked, txid: string): Answer {
  const cob = cobs.get(txid)
  if (!cob) return buildBankProblem(404, 'CobNaoEncontrado')
  const received = manner.hidesPayments ? [] : pix.filter((one) => one.txid === txid)
  const shown = received.map(({ devolucoes, ...one }) =>
    manner.hidesDevolutions || manner.lagsBehind ? one : { ...one, devolucoes },
  )
  return { status: 200, body: { ...cob, ...(shown[0] && { pix: shown }) } }
}

function patchCob({ cobs }: BankLedger, { text }: Asked, txid: string): Answer {
  const cob = cobs.get(txid)
  if (!cob) return buildBankProblem(404, 'CobNaoEncontrado')
  if (cob.status !== 'ATIVA') return buildBankProblem(400, 'CobOperacaoInvalida')
  Object.assign(cob, JSON.parse(text), { revisao: cob.revisao + 1 })
  return { status: 200, body: cob }
}

function listCobs({ cobs }: BankLedger, { query }: Asked): Answer {
  const { inicio, fim, 'paginacao.itensPorPagina': most = '100' } = query
  if (!inicio || !fim) return buildBankProblem(400, 'CobConsultaInvalida')
  const listed = [...cobs.values()].slice(0, Number(most)).map((cob, idCob) => ({ ...cob, idCob }))
  const parametros = buildListParameters(inicio, fim, cobs.size)
  return { status: 200, body: { parametros, cobs: listed } }
}

function getPix({ pix, manner }: BankLedger, _: Asked, endToEndId: string): Answer {
  const found = pix.find((one) => isSameId(one.endToEndId, endToEndId))
  if (!found) return buildBankProblem(404, 'PixNaoEncontrado')
  return { status: 200, body: { ...found, ...(manner.lagsBehind && { devolucoes: [] }) } }
}

function listPix(
  book: BankLedger,
  { query: { inicio = '', fim = '', txid, devolucaoPresente, ...paging } }: Asked,
): Answer {
  const { pix, manner } = book
  if (Date.parse(fim) - Date.parse(inicio) > manner.maxListMs) {
    return buildBankProblem(400, 'PixConsultaInvalida', 'O período é longo demais.')
  }
  if (manner.refusesFuture && fim > readBankClock(book)) {
    return buildBankProblem(400, 'PixConsultaInvalida', 'O fim não pode estar no futuro.')
  }
  const own = pix.filter(
    (one) =>
      (txid === undefined || one.txid === txid) &&
      (devolucaoPresente !== 'true' || one.devolucoes.length > 0) &&
      one.horario >= inicio &&
      one.horario <= fim,
  )
  if (Number(paging['paginacao.paginaAtual'] ?? manner.firstPage) < manner.firstPage) {
    return buildBankProblem(400, 'PixConsultaInvalida', 'Não há página com este número.')
  }
  const asked = { inicio, fim, paging }
  const { page, parametros } = takePage([...manner.foreignPix, ...own], asked, manner)
  // The description demands charges here, too.
  return { status: 200, body: { parametros, cobs: [], pix: page } }
}

function putDevolution(book: BankLedger, { text }: Asked, endToEndId: string, id: string): Answer {
  const paid = book.pix.find((one) => isSameId(one.endToEndId, endToEndId))
  if (!paid) return buildBankProblem(404, 'PixNaoEncontrado')
  const known = paid.devolucoes.find((one) => one.id === id)
  if (known) {
    const { refusesRepeats, lagsBehind } = book.manner
    if (!refusesRepeats && !lagsBehind) return { status: 201, body: known }
    return buildBankProblem(400, 'PixDevolucaoInvalida', 'Id já utilizado.')
  }
  const { valor } = JSON.parse(text) as { valor: string }
  if (parseValorCents(valor) > parseValorCents(paid.valor) - sumDevolutions(paid)) {
    return buildBankProblem(400, 'PixDevolucaoInvalida', 'O valor excede o do Pix.')
  }
  return { status: 201, body: addDevolution(book, paid, id, valor) }
}

function addDevolution(
  { manner, now }: BankLedger,
  paid: BankPix,
  id: string,
  valor: string,
  natureza = 'ORIGINAL',
) {
  const { refundStatus: status, refundReason: motivo } = manner
  const solicitacao = readBankClock({ manner, now })
  const rtrId = `D00000000${randomBytes(12).toString('hex').slice(0, 23)}`
  const horario = { solicitacao, liquidacao: solicitacao }
  const one = { id, rtrId, valor, natureza, horario, status, ...(motivo && { motivo }) }
  paid.devolucoes.push(one)
  return one
}

function getDevolution(
  { pix, manner }: BankLedger,
  _: Asked,
  endToEndId: string,
  id: string,
): Answer {
  if (manner.lagsBehind) return buildBankProblem(404, 'PixDevolucaoNaoEncontrada')
  const paid = pix.find((one) => isSameId(one.endToEndId, endToEndId))
  const known = paid?.devolucoes.find((one) => one.id === id)
  return known ? { status: 200, body: known } : buildBankProblem(404, 'PixDevolucaoNaoEncontrada')
}

function putWebhook({ webhooks }: BankLedger, { text }: Asked, key: string): Answer {
  webhooks.set(key, (JSON.parse(text) as { webhookUrl: string }).webhookUrl)
  return { status: 200 }
}

function getWebhook({ webhooks, now }: BankLedger, _: Asked, chave: string): Answer {
  const webhookUrl = webhooks.get(chave)
  if (!webhookUrl) return buildBankProblem(404, 'WebhookNaoEncontrado')
  const criacao = now().toISOString()
  return { status: 200, body: { webhookUrl, chave, cnpj: '12ABC34501DE35', criacao } }
}

/** Banks that write ids in capitals know them so. */
function isSameId(one: string, other: string) {
  return one.toLowerCase() === other.toLowerCase()
}

/** What has left for the payer, or is on its way. */
export function sumDevolutions({ devolucoes }: BankPix) {
  const real = devolucoes.filter(({ status }) => status !== 'NAO_REALIZADO')
  return real.reduce((sum, { valor }) => sum + parseValorCents(valor), 0)
}
