// A field of the reference in words: its type, and how long, large or many it may be.
import type { Field } from './fields.ts'

const TYPE_NAMES: Record<string, string> = {
  string: 'texto',
  integer: 'inteiro',
  number: 'número',
  boolean: 'booleano',
  object: 'objeto',
  any: 'qualquer valor',
  uuid: 'UUID',
  'date-time': 'data e hora',
  email: 'e-mail',
  uri: 'URL',
  null: 'null',
}

/** By what a limit's name ends with: one, many. */
const UNITS = { Length: ['caractere', 'caracteres'], Items: ['item', 'itens'], imum: ['', ''] }

/** `lista de texto ou null` */
export function formatFieldType({ type, list, nullable }: Field) {
  const name = TYPE_NAMES[type] ?? type
  return (list ? `lista de ${name}` : name) + (nullable ? ' ou null' : '')
}

/** `1 a 128 caracteres` */
export function formatFieldLimits({ limits }: Field) {
  const texts = Object.entries(UNITS).flatMap(([kind, [one, many]]) => {
    const of = (end: 'min' | 'max') => limits.find((limit) => limit.kind === end + kind)?.value
    const [min, max] = [of('min'), of('max')]
    if (min === undefined && max === undefined) return []
    const unit = (max ?? min) === 1 ? one : many
    return [`${formatRange(min, max)} ${unit}`.trim()]
  })
  return texts.join(', ')
}

function formatRange(min: number | undefined, max: number | undefined) {
  if (max === undefined) return `${min} ou mais`
  return min === undefined ? `até ${max}` : `${min} a ${max}`
}
