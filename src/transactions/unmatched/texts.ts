export const unmatchedTexts = {
  notFound: 'Pix sem cobrança não encontrado.',
  over: 'Este Pix já foi casado com um pagamento ou devolvido.',
  returning: 'A devolução deste Pix já foi pedida ao banco.',
  notPayable:
    'Só um pagamento por Pix em aberto, expirado ou cancelado do mesmo provedor pode ser casado com este.',
  refused: 'O banco recusou a devolução deste Pix.',
} as const
