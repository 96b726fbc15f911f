export const customerPageTexts = {
  titles: {
    create: 'Novo cliente',
    change: 'Editar cliente',
    anonymize: 'Anonimizar cliente',
    merge: 'Unir clientes',
  },
  fields: { name: 'nome', taxId: 'CPF ou CNPJ', email: 'e-mail', phone: 'telefone' },
  noun: ['cliente', 'clientes'],
  taxIdHint: 'Os links feitos para este cliente pedem este documento.',
  foreignHint: (document: string) =>
    `Hoje: ${document}. Um CPF ou CNPJ toma o lugar dele, e não há volta.`,
  name: 'Informe o nome.',
  exists: 'Já existe um cliente com este CPF ou CNPJ.',
  keptTaxId: 'O documento não pode ser apagado; corrija-o ou deixe o que estava.',
  merge: {
    question: (merged: string, kept: string) => `Unir ${merged} a ${kept}?`,
    moved: (merged: string, kept: string) =>
      `Os pagamentos e os links de ${merged} passam a ${kept}. Nenhum valor muda.`,
    kept: (kept: string, merged: string) =>
      `Ficam o nome e o contato de ${kept}; de ${merged} vem só o que faltar.`,
    document: (kept: string, merged: string) =>
      `Os links feitos para ${merged} passam a pedir o documento de ${kept}.`,
    forever: 'Isso não pode ser desfeito.',
    button: 'Unir',
    label: 'cliente',
  },
  anonymize: {
    question: (name: string) => `Anonimizar ${name}?`,
    consequences: (eventsDays: number) => [
      'Nome, e-mail, telefone e documento são apagados do cadastro e dos pagamentos. Os e-mails enviados sobre eles também, e o que o Registro diz de mudanças no cadastro.',
      'Os pagamentos ficam, com valores, datas e situação, em nome de “Cliente removido”.',
      'Links feitos para este cliente passam a servir a qualquer pessoa.',
      `Webhooks de antes ficam em Entregas e na API por ${eventsDays} dias, com estes dados; quem os reenvia manda-os de novo. O seu sistema pode tê-los guardado também.`,
      'Isso não pode ser desfeito.',
    ],
    button: 'Anonimizar',
  },
} as const
