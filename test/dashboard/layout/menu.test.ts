// The menu of the dashboard: eight entries, and the pages beside each other behind one of them.
import { expect, test } from 'vitest'
import { buildMenu, buildTabs, findSection } from '../../../src/dashboard/layout/menu.ts'
import { getRights } from '../../../src/users/roles.ts'

const SETTINGS = ['Empresa', 'Contato', 'Marca', 'E-mails', 'Equipe', 'Registro']
const MENUS = {
  owner: 'Início|Links|Pagamentos|Clientes|Relatórios|Recebimentos|Ajustes|Para desenvolvedores',
  finance: 'Início|Links|Pagamentos|Clientes|Relatórios|Recebimentos',
  member: 'Início|Links|Pagamentos|Clientes|Relatórios',
} as const

test.each(Object.entries(MENUS) as [keyof typeof MENUS, string][])(
  'the menu of a person who is %s',
  (role, entries) => {
    const menu = buildMenu(getRights(role), null)

    expect(menu.map(({ text }) => text).join('|')).toBe(entries)
  },
)

test.each([
  ['/painel/ajustes', 'Ajustes', SETTINGS, 'Empresa'],
  ['/painel/ajustes/marca?feito=x', 'Ajustes', SETTINGS, 'Marca'],
  ['/painel/registro', 'Ajustes', SETTINGS, 'Registro'],
  ['/painel/equipe/convidar', 'Ajustes', SETTINGS, undefined],
  [
    '/painel/integracoes/chamadas',
    'Para desenvolvedores',
    ['Chaves', 'Webhooks', 'Entregas', 'Erros'],
    'Erros',
  ],
  ['/painel/links', 'Links', [], undefined],
])('%s is behind %s', (url, entry, tabs, current) => {
  const [may, section] = [getRights('owner'), findSection(url)]
  const menu = buildMenu(may, section)
  const shown = buildTabs(url, may, section)

  expect(menu.filter(({ isCurrent }) => isCurrent).map(({ text }) => text)).toEqual([entry])
  expect(shown.map(({ text }) => text)).toEqual(tabs)
  expect(shown.find(({ isCurrent }) => isCurrent)?.text).toBe(current)
})
