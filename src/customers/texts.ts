export const customerTexts = {
  notFound: 'Cliente não encontrado.',
  exists: 'Já existe um cliente com este CPF ou CNPJ. O cabeçalho Location aponta para ele.',
  email: 'Informe um e-mail válido, como nome@exemplo.com.br.',
  nameWords: 'Informe ao menos uma palavra do nome.',
  anonymous: 'Cliente removido',
} as const
