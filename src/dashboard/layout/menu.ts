// The menu of the dashboard, and the pages below its entries. A section is the first part of an address after /painel.
import { getEntries, getKeys } from '../../record.ts'
import type { Right, Rights } from '../../users/roles.ts'
import { ACCOUNT_PATH, HOME_PATH } from './paths.ts'
import { menuTexts, sectionTitles } from './texts.ts'

/** `conta` is the person's own section, below the menu. */
export type Section = keyof typeof SECTIONS | 'conta'

const SECTIONS = {
  inicio: 'read',
  links: 'read',
  transacoes: 'read',
  clientes: 'read',
  relatorios: 'read',
  recebimentos: 'receivables',
  ajustes: 'settings',
  equipe: 'team',
  registro: 'auditLog',
  chaves: 'apiKeys',
  integracoes: 'integrations',
} as const satisfies Record<string, Right>

type MenuEntry = {
  icon:
    | 'arrow-left-right'
    | 'chart-column'
    | 'code'
    | 'house'
    | 'landmark'
    | 'link'
    | 'settings'
    | 'users'
  text: string
  sections: readonly (keyof typeof SECTIONS)[]
  /** The pages of an entry with several, by the part of the address after /painel/. */
  tabs?: Record<string, string>
}

const MENU: readonly MenuEntry[] = [
  { icon: 'house', text: sectionTitles.inicio, sections: ['inicio'] },
  { icon: 'link', text: sectionTitles.links, sections: ['links'] },
  { icon: 'arrow-left-right', text: sectionTitles.transacoes, sections: ['transacoes'] },
  { icon: 'users', text: sectionTitles.clientes, sections: ['clientes'] },
  { icon: 'chart-column', text: sectionTitles.relatorios, sections: ['relatorios'] },
  { icon: 'landmark', text: sectionTitles.recebimentos, sections: ['recebimentos'] },
  {
    icon: 'settings',
    text: sectionTitles.ajustes,
    sections: ['ajustes', 'equipe', 'registro'],
    tabs: menuTexts.settings,
  },
  {
    icon: 'code',
    text: menuTexts.developers,
    sections: ['chaves', 'integracoes'],
    tabs: menuTexts.tools,
  },
]

/** The menu of a person with these rights. */
export function buildMenu(may: Rights, section: Section | null) {
  return MENU.flatMap(({ icon, text, sections }) => {
    const [first] = sections.filter((name) => may[SECTIONS[name]])
    if (first === undefined) return []
    const isCurrent = sections.some((name) => name === section)
    return { href: getSectionPath(first), text, icon, isCurrent }
  })
}

/** The pages beside this one, as tabs; empty for an entry with one page. */
export function buildTabs(url: string, may: Rights, section: Section | null) {
  const [path] = url.split('?')
  const entry = MENU.find(({ sections }) => sections.some((name) => name === section))
  return getEntries(entry?.tabs ?? {}).flatMap(([address, text]) => {
    const href = `${HOME_PATH}/${address}`
    const owner = findSection(href)
    const isOpen = owner !== null && owner !== 'conta' && may[SECTIONS[owner]]
    return isOpen ? [{ href, text, isCurrent: href === path }] : []
  })
}

export function getSectionPath(section: Section | null) {
  if (section === null || section === 'inicio') return HOME_PATH
  return section === 'conta' ? ACCOUNT_PATH : `${HOME_PATH}/${section}`
}

/** Null when the person may not open it, or there is none. */
export function findSectionList(may: Rights, section: Section | null) {
  if (section === null || section === 'conta' || section === 'inicio') return null
  if (!may[SECTIONS[section]]) return null
  return { href: getSectionPath(section), text: sectionTitles[section] }
}

/** Null for an address outside of the menu. */
export function findSection(url: string): Section | null {
  const [, , first = ''] = url.split('?')[0]?.split('/') ?? []
  if (first === '') return 'inicio'
  const sections = ['conta', ...getKeys(SECTIONS)] as const
  return sections.find((section) => section === first) ?? null
}
