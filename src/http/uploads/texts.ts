import { formatBytes } from '../../format.ts'

export const imageTexts = {
  tooBig: (bytes: number) => `Envie uma imagem de até ${formatBytes(bytes)}.`,
  wrong_format: 'Envie uma imagem PNG, JPEG ou WebP.',
  tooWide: (max: number) => `Envie uma imagem de até ${max} × ${max} pixels.`,
  unreadable: 'Não foi possível ler esta imagem. Envie outra.',
} as const

export const uploadTexts = {
  noFiles: 'Este formulário não leva arquivos.',
  brokenForm: 'O envio não chegou inteiro. Volte e tente de novo.',
} as const
