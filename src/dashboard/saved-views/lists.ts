// The lists whose filters are saved, and what of their addresses is: filters and order, not the page or what
// was just done. A period that people call by its name stays that: "este mês" is the month in which it is read.

import type { ViewedList } from '../../database/enums.ts'
import { findDayPreset, getPresetDays } from '../layout/lists/filters.ts'
import { readFirstPageParams } from '../layout/lists/pager.ts'
import { CUSTOMERS_PATH, DELIVERIES_PATH, LINKS_PATH, PAYMENTS_PATH } from '../layout/paths.ts'

export const LISTS = {
  links: { path: LINKS_PATH, section: 'links' },
  transactions: { path: PAYMENTS_PATH, section: 'transacoes' },
  customers: { path: CUSTOMERS_PATH, section: 'clientes' },
  deliveries: { path: DELIVERIES_PATH, section: 'integracoes' },
} as const satisfies Record<ViewedList, object>

const PERIOD_FIELD = 'periodo'
const FIELD_PATTERN = /^[a-z_]{1,20}$/
const MAX_VALUE_LENGTH = 254

/** As it is kept: the same for whatever order the fields come in. */
export function toSavedQuery(url: string, now: Date) {
  const fields = new URLSearchParams(
    [...readFirstPageParams(url)].filter(
      ([name, value]) =>
        value !== '' && value.length <= MAX_VALUE_LENGTH && FIELD_PATTERN.test(name),
    ),
  )
  const [de, ate] = [fields.get('de') ?? '', fields.get('ate') ?? '']
  const preset = findDayPreset({ de, ate, periodo: fields.get(PERIOD_FIELD) }, now)
  // Days that were called so when the address was made.
  if (de || ate) fields.delete(PERIOD_FIELD)
  if (preset !== null) {
    fields.delete('de')
    fields.delete('ate')
    fields.set(PERIOD_FIELD, preset)
  }
  fields.sort()
  return fields.toString()
}

/** As the list's address has it today. */
export function buildViewUrl({ list, query }: { list: ViewedList; query: string }, now: Date) {
  const fields = new URLSearchParams(query)
  const days = getPresetDays(fields.get(PERIOD_FIELD), now)
  if (days) {
    fields.delete(PERIOD_FIELD)
    fields.set('de', days.de)
    fields.set('ate', days.ate)
    if (days.periodo !== null) fields.set(PERIOD_FIELD, days.periodo)
  }
  return fields.size > 0 ? `${LISTS[list].path}?${fields}` : LISTS[list].path
}
