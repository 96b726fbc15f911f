// The bar above a list of links, with the actions for chosen ones.

import type { FastifyRequest } from 'fastify'
import type { LinkBulkAction, LinkStatus } from '../../database/enums.ts'
import { newId } from '../../database/id.ts'
import { formatCount } from '../../format.ts'
import type { CountResult } from '../../lists/page.ts'
import { MAX_BULK_LINKS } from '../../payment-links/bulk/bulk.ts'
import { readListQuery } from '../layout/lists/pager.ts'
import { LINKS_PATH } from '../layout/paths.ts'
import { linkBulkTexts } from './bulk-texts.ts'

const TAG_ACTIONS = ['add_tag', 'remove_tag'] as const
const ACTIONS = ['pause', 'resume', 'archive'] as const
const ARCHIVED_ACTIONS = ['unarchive'] as const

const ICONS = {
  archive: 'archive',
  unarchive: 'rotate-ccw',
  pause: 'pause',
  resume: 'play',
  add_tag: 'plus',
  remove_tag: 'x',
} as const satisfies Record<LinkBulkAction, string>

type ListState = {
  /** The page has all links. */
  isWhole: boolean
  /** Null when links are not counted. */
  total: CountResult | null
  /** The status filter of the list. */
  status: LinkStatus | undefined
  now: Date
}

export function buildLinkBulkView(
  { url }: Pick<FastifyRequest, 'url'>,
  { isWhole, total, status, now }: ListState,
) {
  const isArchived = status === 'archived'
  const choice = new URL(url, 'http://localhost').searchParams
  const tag = choice.get('etiqueta') ?? ''
  return {
    action: `${LINKS_PATH}/lote`,
    hidden: [
      { name: 'lote', value: newId() },
      { name: 'ate', value: now.toISOString() },
    ],
    filter: readListQuery(url),
    tagButtons: isArchived ? [] : TAG_ACTIONS.map(toButton),
    buttons: (isArchived ? ARCHIVED_ACTIONS : ACTIONS).map(toButton),
    all: isWhole ? null : { ...describeAll(total), isChosen: choice.has('todos') },
    // The values of a refused form.
    chosenIds: new Set(choice.getAll('escolhido')),
    tag: { value: tag, isOpen: tag !== '' || choice.get('falta') === 'etiqueta' },
  }
}

/** The choice of all links beyond this page, with their number. */
function describeAll(total: CountResult | null) {
  const { all, chosen } = linkBulkTexts
  const most = formatCount(MAX_BULK_LINKS)
  if (total === null) return { text: all.unknown(most), every: chosen.upTo(most) }
  const count = formatCount(total.count)
  if (total.kind === 'partial') return { text: all.newestOfMany(most), every: chosen.upTo(most) }
  return total.count <= MAX_BULK_LINKS
    ? { text: all.these(count), every: chosen.these(count) }
    : { text: all.newest(most, count), every: chosen.these(most) }
}

function toButton(action: LinkBulkAction) {
  const { value, button } = linkBulkTexts.actions[action]
  return { value, text: button, icon: ICONS[action] }
}
