import { formatBytes } from '../../format.ts'

export const imageTexts = {
  tooBig: (bytes: number) => `Envie uma imagem de até ${formatBytes(bytes)}.`,
  wrong_format: 'Envie uma imagem PNG, JPEG ou WebP.',
  tooWide: (max: number) => `Envie uma imagem de até ${max} × ${max} pixels.`,
  too_heavy:
    'Esta imagem demora demais para abrir. Salve-a com 8 bits por canal e sem entrelaçamento, ou menor.',
  unreadable: 'Não foi possível ler esta imagem. Envie outra.',
} as const

export const uploadTexts = {
  noFiles: 'Este formulário não leva arquivos.',
  brokenForm: 'O formulário não chegou inteiro. Envie-o de novo.',
  boundaryMissing:
    'Falta o boundary no Content-Type: multipart/form-data. Deixe o seu cliente HTTP escrever esse cabeçalho.',
} as const
