export const customerTexts = {
  notFound: 'Cliente não encontrado.',
  exists: 'Já existe um cliente com este CPF ou CNPJ. O cabeçalho Location aponta para ele.',
  email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
  payerName: 'Informe o nome completo, com letras.',
  nameWords: 'Informe ao menos uma palavra do nome.',
  anonymous: 'Cliente removido',
  changedMeanwhile: 'Um dos clientes mudou enquanto isso. Confira e tente de novo.',
  tableName: 'clientes',
  columns: {
    name: 'Nome',
    taxId: 'CPF ou CNPJ',
    email: 'E-mail',
    phone: 'Telefone',
    createdAt: 'Cadastrado em',
    updatedAt: 'Alterado em',
    id: 'ID',
  },
} as const
