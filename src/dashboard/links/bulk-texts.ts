// The texts of bulk changes.
import type { LinkBulkAction } from '../../database/enums.ts'
import type { BulkRefusal } from '../../database/tables.ts'
import { formatCount } from '../../format.ts'

const countLinks = (n: number) => (n === 1 ? '1 link' : `${formatCount(n)} links`)
const links = (n: number, done: string) => `${countLinks(n)} ${done}${n === 1 ? '' : 's'}`

type ActionTexts = {
  /** The value in the form. */
  value: string
  button: string
  done: (n: number, tag: string) => string
}

const actions: Record<LinkBulkAction, ActionTexts> = {
  archive: { value: 'arquivar', button: 'Arquivar', done: (n) => links(n, 'arquivado') },
  unarchive: {
    value: 'desarquivar',
    button: 'Desarquivar',
    done: (n) => links(n, 'desarquivado'),
  },
  pause: { value: 'pausar', button: 'Pausar', done: (n) => links(n, 'pausado') },
  resume: { value: 'reativar', button: 'Reativar', done: (n) => links(n, 'reativado') },
  add_tag: {
    value: 'etiquetar',
    button: 'Adicionar',
    done: (n, tag) => `${countLinks(n)} com a etiqueta “${tag}”`,
  },
  remove_tag: {
    value: 'desetiquetar',
    button: 'Remover',
    done: (n, tag) => `${countLinks(n)} sem a etiqueta “${tag}”`,
  },
}

const refusals: Record<BulkRefusal, string> = {
  archived: 'estão arquivados; desarquive-os antes',
  expired: 'expiraram; edite-os e escolha uma nova data',
  complete: 'já receberam tudo o que aceitam',
  tooManyTags: 'já têm 20 etiquetas',
  tooBig: 'têm etiquetas e informações demais',
}

export const linkBulkTexts = {
  actions,
  refusals,
  all: {
    these: (count: string) => `Todos os ${count} links desta lista`,
    newest: (most: string, count: string) => `Os ${most} mais novos dos ${count} links desta lista`,
    newestOfMany: (most: string) => `Os ${most} links mais novos desta lista`,
    unknown: (most: string) => `Todos os links desta lista, ou os ${most} mais novos`,
  },
  chosen: {
    these: (count: string) => `${count} escolhidos`,
    upTo: (most: string) => `Até ${most} escolhidos`,
  },
  none: 'Nada mudou',
  refused: (n: number, names: string, reason: string) =>
    `${formatCount(n)} não: ${reason} (${names})`,
  unchanged: (n: number) => (n === 1 ? '1 já estava assim' : `${formatCount(n)} já estavam assim`),
  names: (titles: readonly string[], more: number) =>
    titles.map((title) => `“${title}”`).join(', ') +
    (more > 0 ? ` e mais ${formatCount(more)}` : ''),
  unfinished: (left: number) =>
    `${formatCount(left)} ainda por fazer: envie de novo para continuar`,
  missing: {
    links: 'Escolha ao menos um link.',
    acao: 'Escolha o que fazer com os links.',
    etiqueta: 'Escreva uma etiqueta de até 50 caracteres, sem vírgula.',
  },
  sentence: (parts: readonly string[]) => `${parts.join('. ')}.`,
} as const
