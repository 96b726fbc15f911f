// The columns of a file of links: their names, their order in the template, and which cell of a record belongs to which
// field.
import { maskCardNumbers } from '../../card-numbers.ts'
import { getKeys } from '../../record.ts'
import { linkImportTexts } from './texts.ts'

/** The template's column names, by the API's field. */
export const IMPORT_COLUMNS = {
  title: 'titulo',
  amountCents: 'valor',
  description: 'descricao',
  methods: 'formas_de_pagamento',
  maxInstallments: 'parcelas',
  interestFreeInstallments: 'parcelas_sem_juros',
  pixDiscountBps: 'desconto_no_pix',
  tags: 'etiquetas',
  expiresAt: 'expira_em',
  maxPayments: 'limite_de_pagamentos',
  externalReference: 'referencia',
  'customer.name': 'cliente_nome',
  'customer.email': 'cliente_email',
  'customer.taxId': 'cliente_documento',
} as const

export type ImportField = keyof typeof IMPORT_COLUMNS

/** Other names that people use. */
const SYNONYMS: Record<ImportField, readonly string[]> = {
  title: ['produto', 'item', 'servico', 'cobranca', 'title'],
  amountCents: ['preco', 'valor_r', 'preco_r', 'valor_total', 'quantia', 'amount', 'price'],
  description: ['detalhes', 'observacao', 'observacoes', 'obs', 'description'],
  methods: ['forma_de_pagamento', 'formas', 'metodo', 'metodos', 'meio_de_pagamento'],
  maxInstallments: ['parcela', 'max_parcelas', 'numero_de_parcelas'],
  interestFreeInstallments: ['sem_juros', 'max_parcelas_sem_juros'],
  pixDiscountBps: ['desconto_pix', 'desconto'],
  tags: ['etiqueta', 'tag', 'tags', 'categoria'],
  expiresAt: [
    ...['vencimento', 'data_de_vencimento', 'data_vencimento', 'vence', 'vence_em'],
    ...['validade', 'expira', 'valido_ate'],
  ],
  maxPayments: ['limite', 'max_pagamentos'],
  externalReference: ['referencia_externa', 'ref', 'pedido', 'numero_do_pedido', 'matricula'],
  'customer.name': ['nome', 'cliente', 'nome_do_cliente', 'nome_cliente', 'pagador', 'aluno'],
  'customer.email': ['email', 'e_mail', 'email_do_cliente', 'email_cliente'],
  'customer.taxId': [
    ...['cpf', 'cnpj', 'cpf_cnpj', 'cpf_ou_cnpj', 'documento', 'cpf_do_cliente', 'cpf_cliente'],
    ...['cnpj_do_cliente', 'documento_do_cliente'],
  ],
}
/** The trimmed cells of a row; empty for columns that the file lacks. */
export type Cells = Record<ImportField, string>
export const IMPORT_FIELDS = getKeys(IMPORT_COLUMNS)
/** An error of a cell; `field` is empty for an error of the whole row. */
export type RowFault = { field: string; message: string }

const PERSON_FIELDS: readonly ImportField[] = ['customer.email', 'customer.taxId']
const REQUIRED_FIELDS: readonly ImportField[] = ['title', 'amountCents']

/** When the first row is no header, this much of it is shown. */
const MAX_SHOWN_NAMES = 12
const MAX_SHOWN_LENGTH = 50

/** The column of each field in a record; undefined when the file has no such column. */
export type ColumnIndexes = ReadonlyMap<ImportField, number>

type ReadHeaderResult =
  | {
      kind: 'read'
      indexes: ColumnIndexes
      width: number
      /** As the file writes them. */
      names: string[]
      /** Columns that are ignored, by their names in the file. */
      leftOut: string[]
    }
  | { kind: 'refused'; messages: string[] }

/** Reads names in any spelling: `Título`, `TITULO`, `formas de pagamento`, `preço`. */
export function readHeader(cells: readonly string[]): ReadHeaderResult {
  const words = linkImportTexts.files
  const names = cells.map(normalizeName)
  const width = names.findLastIndex((name) => name !== '') + 1
  const given = names.slice(0, width)
  const titled = findTitleField(given)
  const found = IMPORT_FIELDS.map((field) => {
    if (field === 'title') return [field, findColumns(given, titled)] as const
    return [field, field === titled ? [] : findColumns(given, field)] as const
  })
  const repeated = found.flatMap(([, at]) => (at.length > 1 ? at : []))
  const missing = REQUIRED_FIELDS.filter((one) =>
    found.some(([field, at]) => field === one && at.length === 0),
  )
  const taken = new Set(found.flatMap(([, at]) => at))
  const unknown = cells.filter((cell, at) => cell.trim() !== '' && !taken.has(at))
  const leftOut = shortenNames(unknown)
  if (missing.length === 0 && repeated.length === 0) {
    const indexes = found.flatMap(([field, [at]]) =>
      at === undefined ? [] : [[field, at] as const],
    )
    return {
      kind: 'read',
      indexes: new Map(indexes),
      width,
      names: cells.map(shortenName),
      leftOut,
    }
  }
  const missingNames = missing.map((field) => IMPORT_COLUMNS[field])
  const repeatedNames = shortenNames(repeated.map((at) => cells[at] ?? ''))
  const messages = [
    ...(missing.length > 0 ? [words.missingColumns(missingNames)] : []),
    ...(missing.includes('title') && given.includes('nome') ? [words.nameIsPayer] : []),
    ...(unknown.length > 0 ? [words.unknownColumns(unknown.length, leftOut)] : []),
    ...(repeated.length > 0 ? [words.repeatedColumns(repeatedNames)] : []),
  ]
  return { kind: 'refused', messages }
}

/** Without a column for the title, the description is used, or a name if the file has no columns about a person. */
function findTitleField(names: readonly string[]): ImportField {
  if (findColumns(names, 'title').length > 0) return 'title'
  if (names.includes('descricao')) return 'description'
  const isPerson = PERSON_FIELDS.some((field) => findColumns(names, field).length > 0)
  const [named] = findColumns(names, 'customer.name')
  return !isPerson && named !== undefined && names[named] === 'nome' ? 'customer.name' : 'title'
}

/** Finds columns by the template's name, or by synonyms if there is none. */
function findColumns(names: readonly string[], field: ImportField) {
  const listIndexes = (known: readonly string[]) =>
    names.flatMap((name, at) => (known.includes(name) ? at : []))
  const own = listIndexes([IMPORT_COLUMNS[field]])
  return own.length > 0 ? own : listIndexes(SYNONYMS[field])
}

function shortenNames(names: readonly string[]) {
  return names.slice(0, MAX_SHOWN_NAMES).map(shortenName)
}

function shortenName(name: string) {
  const shown = maskCardNumbers(name.trim())
  return shown.length > MAX_SHOWN_LENGTH ? `${shown.slice(0, MAX_SHOWN_LENGTH)}…` : shown
}

function normalizeName(name: string) {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^_|_$/g, '')
}
