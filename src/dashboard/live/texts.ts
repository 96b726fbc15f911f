// What is said of pages that tell what comes in.
export const liveTexts = {
  tooMany: 'Há abas demais do painel abertas. Feche algumas.',
} as const
