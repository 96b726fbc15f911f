// What the fake bank remembers: charges, the Pix that it received and what it gave back.
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { buildBrCode, formatDecimal } from '../../src/providers/br-code.ts'

export type Asked = {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingHttpHeaders
  text: string
}
export type Answer = { status: number; body?: object }

export type BookedDevolution = {
  id: string
  rtrId: string
  valor: string
  horario: object
  status: string
  natureza: string
  motivo?: string
}
export type BookedPix = {
  endToEndId: string
  txid: string
  valor: string
  horario: string
  chave: string
  devolucoes: BookedDevolution[]
}
type CobBody = {
  calendario: { expiracao: number }
  valor: { original: string }
  chave: string
  devedor?: object
  solicitacaoPagador?: string
}
export type BookedCob = CobBody & {
  txid: string
  revisao: number
  status: string
  calendario: { criacao: string; expiracao: number }
  loc: object
  location: string
  pixCopiaECola: string
}

export type Book = ReturnType<typeof newBook>
type Route = (book: Book, asked: Asked, ...ids: string[]) => Answer

export function newBook(pixKey: string, now: () => Date) {
  return {
    pixKey,
    now,
    cobs: new Map<string, BookedCob>(),
    pix: [] as BookedPix[],
    webhooks: new Map<string, string>(),
    manner: {
      /** How a refund ends. */
      refundStatus: 'DEVOLVIDO',
      refundReason: undefined as string | undefined,
      /** Refuses to make a charge or a refund again that it has. */
      refusesRepeats: false,
      /** Does not list the payments with their charge. */
      hidesPayments: false,
    },
  }
}

const ID = '([A-Za-z0-9]+)'
const ROUTES: [RegExp, Route][] = [
  [new RegExp(`^PUT /cob/${ID}$`), putCob],
  [new RegExp(`^GET /cob/${ID}$`), getCob],
  [new RegExp(`^PATCH /cob/${ID}$`), patchCob],
  [/^GET \/cob$/, listCobs],
  [/^GET \/pix$/, listPix],
  [new RegExp(`^PUT /pix/${ID}/devolucao/${ID}$`), putDevolution],
  [new RegExp(`^GET /pix/${ID}/devolucao/${ID}$`), getDevolution],
  [/^PUT \/webhook\/([^/]+)$/, putWebhook],
  [/^GET \/webhook\/([^/]+)$/, getWebhook],
]

export function answerFrom(book: Book, asked: Asked): Answer {
  const call = `${asked.method} ${asked.path}`
  for (const [route, work] of ROUTES) {
    const found = route.exec(call)
    if (found) return structuredClone(work(book, asked, ...found.slice(1).map(decodeURIComponent)))
  }
  return problem(404, 'NaoEncontrado')
}

/** Somebody pays this charge, whatever its state. */
export function pay(book: Book, txid: string, amountCents: number, more: Partial<BookedPix> = {}) {
  const horario = book.now().toISOString()
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
export function giveBack(book: Book, paid: BookedPix, amountCents: number, natureza?: string) {
  return enter(book, paid, randomBytes(8).toString('hex'), formatDecimal(amountCents), natureza)
}

function putCob(book: Book, { text }: Asked, txid: string): Answer {
  const body = JSON.parse(text) as CobBody
  const known = book.cobs.get(txid)
  if (known && (book.manner.refusesRepeats || known.status !== 'ATIVA')) {
    return problem(400, 'CobOperacaoInvalida', 'A cobrança já existe.')
  }
  if (body.chave !== book.pixKey) return problem(403, 'AcessoNegado', 'A chave não é desta conta.')
  const cob = cobOf(book, txid, body)
  book.cobs.set(txid, cob)
  return { status: 201, body: cob }
}

function cobOf({ cobs, now }: Book, txid: string, body: CobBody): BookedCob {
  const criacao = now().toISOString()
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
    pixCopiaECola: buildBrCode({ location, amountCents: cents(body.valor.original), ...merchant }),
  }
}

function getCob({ cobs, pix, manner }: Book, _: Asked, txid: string): Answer {
  const cob = cobs.get(txid)
  if (!cob) return problem(404, 'CobNaoEncontrado')
  const received = manner.hidesPayments ? [] : pix.filter((one) => one.txid === txid)
  return { status: 200, body: { ...cob, ...(received[0] && { pix: received }) } }
}

function patchCob({ cobs }: Book, { text }: Asked, txid: string): Answer {
  const cob = cobs.get(txid)
  if (!cob) return problem(404, 'CobNaoEncontrado')
  if (cob.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida')
  Object.assign(cob, JSON.parse(text), { revisao: cob.revisao + 1 })
  return { status: 200, body: cob }
}

function listCobs({ cobs }: Book, { query: { inicio, fim } }: Asked): Answer {
  if (!inicio || !fim) return problem(400, 'CobConsultaInvalida')
  return { status: 200, body: { parametros: listed(inicio, fim, cobs.size), cobs: [] } }
}

function listPix({ pix }: Book, { query: { inicio = '', fim = '', txid } }: Asked): Answer {
  const found = pix.filter((one) => one.txid === txid)
  // The description demands charges here, too.
  const body = { parametros: listed(inicio, fim, found.length), cobs: [], pix: found }
  return { status: 200, body }
}

function putDevolution(book: Book, { text }: Asked, endToEndId: string, id: string): Answer {
  const paid = book.pix.find((one) => one.endToEndId === endToEndId)
  if (!paid) return problem(404, 'PixNaoEncontrado')
  const known = paid.devolucoes.find((one) => one.id === id)
  if (known) {
    if (!book.manner.refusesRepeats) return { status: 201, body: known }
    return problem(400, 'PixDevolucaoInvalida', 'O id já foi usado.')
  }
  const { valor } = JSON.parse(text) as { valor: string }
  if (cents(valor) > cents(paid.valor) - givenBack(paid)) {
    return problem(400, 'PixDevolucaoInvalida', 'O valor excede o do Pix.')
  }
  return { status: 201, body: enter(book, paid, id, valor) }
}

function enter(
  { manner, now }: Book,
  paid: BookedPix,
  id: string,
  valor: string,
  natureza = 'ORIGINAL',
) {
  const { refundStatus: status, refundReason: motivo } = manner
  const solicitacao = now().toISOString()
  const rtrId = `D00000000${randomBytes(12).toString('hex').slice(0, 23)}`
  const horario = { solicitacao, liquidacao: solicitacao }
  const one = { id, rtrId, valor, natureza, horario, status, ...(motivo && { motivo }) }
  paid.devolucoes.push(one)
  return one
}

function getDevolution({ pix }: Book, _: Asked, endToEndId: string, id: string): Answer {
  const paid = pix.find((one) => one.endToEndId === endToEndId)
  const known = paid?.devolucoes.find((one) => one.id === id)
  return known ? { status: 200, body: known } : problem(404, 'PixDevolucaoNaoEncontrada')
}

function putWebhook({ webhooks }: Book, { text }: Asked, key: string): Answer {
  webhooks.set(key, (JSON.parse(text) as { webhookUrl: string }).webhookUrl)
  return { status: 200 }
}

function getWebhook({ webhooks, now }: Book, _: Asked, chave: string): Answer {
  const webhookUrl = webhooks.get(chave)
  if (!webhookUrl) return problem(404, 'WebhookNaoEncontrado')
  const criacao = now().toISOString()
  return { status: 200, body: { webhookUrl, chave, cnpj: '12ABC34501DE35', criacao } }
}

/** What has left for the payer, or is on its way. */
export function givenBack({ devolucoes }: BookedPix) {
  const real = devolucoes.filter(({ status }) => status !== 'NAO_REALIZADO')
  return real.reduce((sum, { valor }) => sum + cents(valor), 0)
}

function cents(valor: string) {
  return Math.round(Number(valor) * 100)
}

function listed(inicio: string, fim: string, count: number) {
  const paginacao = {
    paginaAtual: 0,
    itensPorPagina: 100,
    quantidadeDePaginas: 1,
    quantidadeTotalDeItens: count,
  }
  return { inicio, fim, paginacao }
}

function problem(status: number, kind: string, detail = 'A requisição não pôde ser atendida.') {
  const type = `https://pix.bcb.gov.br/api/v2/error/${kind}`
  return { status, body: { type, title: kind, status, detail } }
}
