// Keys that lead somewhere, for scripts that listen to them and for whoever asks by `?` what there is.
import type { Rights } from '../../users/roles.ts'
import { LINKS_PATH } from './paths.ts'
import { shortcutTexts } from './texts.ts'

/** By the address's last part; after `g`, as in "go". */
const GO_KEYS: Record<string, string> = {
  painel: 'i',
  links: 'l',
  transacoes: 't',
  clientes: 'c',
  relatorios: 'r',
  recebimentos: 'b',
  ajustes: 'a',
}

export function listShortcuts(menu: { href: string; text: string }[], may: Rights) {
  const places = menu.flatMap(({ href, text }) => {
    const key = GO_KEYS[href.split('/').at(-1) ?? '']
    return key ? [{ keys: ['g', key], text, href }] : []
  })
  const newLink = { keys: ['n'], text: shortcutTexts.newLink, href: `${LINKS_PATH}/novo` }
  return may.editLinks ? [...places, newLink] : places
}
