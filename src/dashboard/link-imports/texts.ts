import { countOf, formatCount } from '../../format.ts'

const nameList = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

export const linkImportTexts = {
  title: 'Importar links',
  template: 'modelo-de-links',
  nameless: 'arquivo sem nome',
  files: {
    none: 'Escolha um arquivo CSV.',
    empty: 'O arquivo está vazio.',
    tooBig: (megabytes: number) => `Envie um arquivo de até ${megabytes} MB.`,
    workbook:
      'Este arquivo é uma planilha do Excel. No Excel, use Salvar como e escolha "CSV UTF-8 (delimitado por vírgulas)".',
    noText: 'Este arquivo não é um CSV.',
    broken: (line: number) =>
      `As aspas da linha ${line} não fecham onde deviam. Confira as células que têm aspas a partir dela.`,
    tooWide: (line: number) => `A linha ${line} tem células demais para uma planilha.`,
    noRows: 'O arquivo só tem o cabeçalho. Escreva um link por linha abaixo dele.',
    tooManyRows: (most: number) =>
      `O arquivo tem mais de ${formatCount(most)} linhas. Divida-o em partes.`,
    missingColumns: (names: readonly string[]) =>
      `Falta no cabeçalho (a primeira linha): ${nameList(names)}.`,
    nameIsPayer:
      'A coluna "nome" diz quem paga. Ponha uma coluna "titulo" com o que é cobrado, como "Mensalidade de maio".',
    unknownColumns: (count: number, shown: readonly string[]) =>
      `Não conhecemos ${count === 1 ? 'a coluna' : 'as colunas'} ${nameList(shown)}${shown.length < count ? ', …' : ''}. Use os nomes do modelo.`,
    repeatedColumns: (names: readonly string[]) =>
      `Dizem o mesmo no cabeçalho: ${nameList(names)}. Deixe uma só.`,
  },
  rows: {
    tooManyCells: (given: number, width: number) =>
      `A linha tem ${countOf(given, 'célula')} e o cabeçalho ${width}. Ponha entre aspas o texto que tem vírgula ou ponto e vírgula.`,
    unreadable: 'Há um caractere que se perdeu (�). Corrija-o e salve como CSV UTF-8.',
    sheetError: (cell: string) =>
      `A planilha mostra ${cell.startsWith('##') ? '####' : cell} nesta célula. ${cell.startsWith('##') ? 'Na planilha, alargue a coluna' : 'Corrija a fórmula'} e salve de novo.`,
    cutNumber:
      'A planilha cortou este número. Formate a coluna como número sem casas decimais ou como texto, e salve de novo.',
    total: 'Esta linha diz o total da planilha, e não vira link.',
    cutAmount:
      'A vírgula dos centavos partiu o valor em duas células. Ponha-o entre aspas ("19,90") ou use ponto (19.90).',
    methods: 'Escreva pix, cartao, ou os dois: pix, cartao.',
    needsCard: 'Parcelas só valem com cartão. Deixe em branco.',
    namelessCustomer: 'Informe o nome do cliente.',
    unknowableCustomer: 'Informe o CPF, o CNPJ ou o e-mail do cliente.',
  },
  confirm: (n: number) => (n === 1 ? 'Criar 1 link' : `Criar ${formatCount(n)} links`),
  confirmWithTicked: (n: number) =>
    `Criar ${n === 1 ? '1 link' : `${formatCount(n)} links`} e os marcados`,
  confirmTicked: 'Criar os marcados',
  tickAll: (n: number) =>
    n === 1 ? 'Criar também esta linha' : `Criar também todas as ${formatCount(n)} linhas`,
  nothingTicked: 'Nada foi criado: nenhuma linha foi marcada. Envie o arquivo de novo e marque.',
  madeBefore: (count: number) =>
    `Nada foi criado agora: ${countOf(count, 'link')} deste arquivo ${count === 1 ? 'já tinha sido criado' : 'já tinham sido criados'}. Para criar outras linhas, envie o arquivo de novo e marque.`,
  changed: 'Nada foi criado: algo mudou depois da conferência. Envie o arquivo de novo.',
  changedRow: ({ line, message }: { line: number; message: string }) => `Linha ${line}: ${message}`,
  zerosRestored: (typed: string) =>
    `O documento estava sem o zero do começo: ${typed}. Ele foi posto de volta; confira.`,
  knownAs: (known: string, given: string) =>
    `Já é seu cliente como ${known}; no arquivo, ${given}. Confira se é a mesma pessoa.`,
  leftOut: (names: readonly string[]) =>
    names.length === 1
      ? `Esta coluna não diz nada de um link, e ficou de fora: ${nameList(names)}.`
      : `Estas colunas não dizem nada de um link, e ficaram de fora: ${nameList(names)}.`,
  nothing: '–',
  details: {
    description: 'Descrição',
    methods: 'Formas',
    maxInstallments: 'Parcelas',
    interestFreeInstallments: 'Sem juros',
    pixDiscountBps: 'Desconto no Pix',
    tags: 'Etiquetas',
    expiresAt: 'Vale até',
    maxPayments: 'Limite',
    externalReference: 'Referência',
  },
  examples: [
    {
      title: 'Mensalidade de maio',
      amountCents: '450,00',
      description: 'Vence no dia 10',
      methods: 'pix, cartao',
      maxInstallments: '3',
      interestFreeInstallments: '',
      pixDiscountBps: '',
      tags: 'turma A, maio',
      expiresAt: '',
      maxPayments: '1',
      externalReference: 'ALUNO-17',
      'customer.name': 'Ana Souza',
      'customer.email': 'ana@exemplo.com.br',
      'customer.taxId': '529.982.247-25',
    },
  ],
} as const
