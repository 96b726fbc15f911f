// How banks write the same answer: each switch takes what Banco Central's description demands and writes it in the
// manner of some bank.

type Json = Record<string, unknown>
type Rewrite = (name: string, value: unknown) => [string, unknown] | undefined
export type Dialect = (body: object) => unknown

const AMOUNTS = ['valor', 'original']
const INSTANTS = ['horario', 'criacao', 'solicitacao', 'liquidacao']

export const DIALECTS: Record<string, Dialect> = {
  'txId and endToEndID': renameFields(
    new Map([
      ['txid', 'txId'],
      ['endToEndId', 'endToEndID'],
      ['pixCopiaECola', 'pix_copia_e_cola'],
    ]),
  ),
  'names in capitals': rewriteFields((name, value) => [name.toUpperCase(), value]),
  'names with accents': renameFields(
    new Map([
      ['horario', 'Horário'],
      ['devolucoes', 'devoluções'],
      ['calendario', 'calendário'],
    ]),
  ),
  'the txid in capitals': changeFields(['txid', 'id'], (text) => text.toUpperCase()),
  'the end-to-end id in capitals': changeFields(['endToEndId'], (text) => text.toUpperCase()),
  'no txid': (body) => (isList(body) ? body : rewriteFields(dropNamed('txid'))(body)),
  'amounts with three decimals': changeFields(AMOUNTS, (text) => `${text}0`),
  'amounts with a comma': changeFields(AMOUNTS, (text) => text.replace('.', ',')),
  'amounts with thousands': changeFields(AMOUNTS, (text) => formatThousands(text, 'en-US')),
  'amounts with thousands in Portuguese': changeFields(AMOUNTS, (text) =>
    formatThousands(text, 'pt-BR'),
  ),
  'amounts as numbers': changeFields(AMOUNTS, Number),
  'amounts as objects': changeFields(AMOUNTS, (text) => ({ valor: text, moeda: 'BRL' })),
  'amounts in lists of one': changeFields(AMOUNTS, (text) => [text]),
  'amounts with their currency': changeFields(AMOUNTS, (text) => `R$ ${text.replace('.', ',')}`),
  'instants with an offset': changeFields(INSTANTS, (text) => toBrasilia(text, '-03:00')),
  'instants with an offset without a colon': changeFields(INSTANTS, (text) =>
    toBrasilia(text, '-0300'),
  ),
  'instants without a zone': changeFields(INSTANTS, (text) => toBrasilia(text, '')),
  'instants without seconds': changeFields(INSTANTS, (text) => `${text.slice(0, 16)}Z`),
  'instants with the day first': changeFields(INSTANTS, (text) =>
    toBrasilia(text, '').replace(/^(\d+)-(\d+)-(\d+)T([\d:]+).*$/, '$3/$2/$1 $4'),
  ),
  'instants as milliseconds': changeFields(INSTANTS, Date.parse),
  'instants as Java writes them': changeFields(INSTANTS, (text) =>
    toBrasilia(text, '-03:00[America/Sao_Paulo]'),
  ),
  'null for what is not there': (body) => addAbsent(body, null),
  'blanks for what is not there': (body) => addAbsent(body, ''),
  'all in data': (body) => ({ status: 'OK', data: body }),
  'all in data, beside what is said of it': (body) => ({ data: body, meta: { requestId: 'a1' } }),
  'all in a list of one': (body) => (isList(body) ? body : [body]),
  'a bare list': (body) => (isList(body) ? body.pix : body),
  'one Pix as an object': rewriteFields((name, value) => [
    name,
    name === 'pix' ? first(value) : value,
  ]),
  'no horario': rewriteFields(dropNamed('horario')),
  'no calendario': rewriteFields(dropNamed('calendario')),
  'devolucoes null': rewriteFields((name, value) => [
    name,
    name === 'devolucoes' && first(value) === undefined ? null : value,
  ]),
  'numbers as text': rewriteFields((name, value) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ]),
  'status in small letters': changeFields(['status'], (text) =>
    text.toLowerCase().replaceAll('_', ' '),
  ),
  'other words for its states': changeFields(['status'], (text) =>
    text.replace('CONCLUIDA', 'Paga').replace('ATIVA', 'Ativo'),
  ),
  'an unreadable Pix beside ours': rewriteFields((name, value) => [
    name,
    name === 'pix' ? [{ txid: 7, valor: 'dezenove' }, null, ...[value].flat()] : value,
  ]),
}

function isList(body: object): body is { pix: unknown[] } {
  return 'parametros' in body
}

/** Each field of each object, from within. */
export function rewriteFields(rewrite: Rewrite): Dialect {
  const rewriteAll = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewriteAll)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        const field = rewrite(name, rewriteAll(inner))
        return field ? [field] : []
      }),
    )
  }
  return rewriteAll
}

export function renameFields(names: Map<string, string>) {
  return rewriteFields((name, value) => [names.get(name) ?? name, value])
}

export function changeFields(names: string[], change: (text: string) => unknown) {
  return rewriteFields((name, value) => [
    name,
    names.includes(name) && typeof value === 'string' ? change(value) : value,
  ])
}

export function dropNamed(dropped: string): Rewrite {
  return (name, value) => (name === dropped ? undefined : [name, value])
}

function first(list: unknown) {
  return [list].flat()[0]
}

function formatThousands(amount: string, locale: string) {
  return Number(amount).toLocaleString(locale, { minimumFractionDigits: 2 })
}

/** The same instant, by a clock three hours behind UTC. */
export function toBrasilia(instant: string, zone: string) {
  const at = Date.parse(instant) - 3 * 3_600_000
  if (Number.isNaN(at)) return instant
  const local = new Date(at).toISOString()
  return local.replace('Z', zone)
}

function addAbsent(body: object, absent: null | string): Json {
  const pix = { pagador: absent, devolucoes: absent, infoPagador: absent }
  const all = { chave: absent, devedor: absent, location: absent, pix: absent, ...body } as Json
  if (!Array.isArray(all.pix)) return all
  return { ...all, pix: all.pix.map((one) => ({ ...pix, ...one })) }
}
