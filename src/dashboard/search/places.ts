// Where the search leads besides what it finds: the pages that somebody may open.
import { foldText } from '../../search/words.ts'
import type { Rights } from '../../users/roles.ts'
import { buildMenu } from '../layout/page.ts'
import {
  ACCOUNT_PATH,
  CUSTOMERS_PATH,
  DISPUTES_PATH,
  LINK_IMPORTS_PATH,
  LINKS_PATH,
} from '../layout/paths.ts'
import { searchTexts } from './texts.ts'

const ACTIONS = [
  { href: `${LINKS_PATH}/novo`, text: searchTexts.newLink, icon: 'plus', right: 'editLinks' },
  { href: LINK_IMPORTS_PATH, text: searchTexts.importLinks, icon: 'upload', right: 'editLinks' },
  {
    href: `${CUSTOMERS_PATH}/novo`,
    text: searchTexts.newCustomer,
    icon: 'user-plus',
    right: 'editCustomers',
  },
] as const

const MORE = [
  { href: DISPUTES_PATH, text: searchTexts.disputes, icon: 'flag' },
  { href: ACCOUNT_PATH, text: searchTexts.account, icon: 'circle-user' },
  { href: '/api/docs', text: searchTexts.docs, icon: 'scroll-text' },
] as const

/** Those of which each typed word begins a word, or all. */
export function listPlaces(may: Rights, typed: string) {
  const actions = ACTIONS.filter(({ right }) => may[right])
  const all = [...buildMenu(may, null), ...actions, ...MORE]
  const words = foldText(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
  return all
    .filter(({ text }) => words.every((word) => ` ${foldText(text)}`.includes(` ${word}`)))
    .map(({ href, text, icon }) => ({ href, text, icon }))
}
