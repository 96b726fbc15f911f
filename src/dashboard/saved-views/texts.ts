import { MAX_SAVED_VIEWS, VIEW_NAME_LENGTH } from '../../users/saved-views.ts'

export const savedViewTexts = {
  create: { title: 'Salvar visão', button: 'Salvar' },
  change: { title: 'Editar visão', button: 'Salvar' },
  name: `Dê um nome de até ${VIEW_NAME_LENGTH} caracteres.`,
  nameTaken: 'Você já tem uma visão com este nome. Escolha outro.',
  full: `Você já guarda ${MAX_SAVED_VIEWS} visões desta lista. Exclua uma para salvar outra.`,
} as const
