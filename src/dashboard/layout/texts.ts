// Texts of several pages of the dashboard.
import { countOf, formatCount } from '../../format.ts'

export const sectionTitles = {
  inicio: 'Início',
  links: 'Links',
  transacoes: 'Pagamentos',
  clientes: 'Clientes',
  relatorios: 'Relatórios',
  chaves: 'Chaves de API',
  integracoes: 'Webhooks',
  recebimentos: 'Recebimentos',
  equipe: 'Equipe',
  ajustes: 'Ajustes',
  registro: 'Registro',
} as const

export const menuTexts = {
  developers: 'Para desenvolvedores',
  /** By the part of their addresses after /painel/. */
  settings: {
    ajustes: 'Empresa',
    'ajustes/contato': 'Contato',
    'ajustes/marca': 'Marca',
    'ajustes/emails': 'E-mails',
    equipe: 'Equipe',
    registro: 'Registro',
  },
  tools: {
    chaves: 'Chaves',
    integracoes: 'Webhooks',
    'integracoes/entregas': 'Entregas',
    'integracoes/chamadas': 'Erros',
  },
} as const

/** The results of actions, by the word in the address (`?feito=`). */
export const doneTexts = {
  confirmado: 'Confirmado. O que você enviou antes não foi feito: faça de novo.',
  'passos-ocultos': 'Os primeiros passos não aparecem mais para você.',
  'forma-desligada': 'Pronto: ninguém mais consegue pagar por esta forma.',
  'pagamento-simulado': 'Pagamento simulado.',
  devolvido: 'Valor devolvido.',
  aceito: 'Pagamento aprovado com o valor que entrou.',
  conferido: 'O que entrou foi anotado.',
  'pix-casado': 'Pix casado com este pagamento.',
  'devolucao-em-andamento':
    'Devolução em andamento. O resultado aparece aqui assim que o provedor confirmar.',
  'cliente-criado': 'Cliente cadastrado.',
  'cliente-alterado': 'Cliente alterado.',
  'clientes-unidos': 'Clientes unidos. Os pagamentos dos dois estão aqui.',
  'cliente-anonimizado': 'Cliente anonimizado. Os pagamentos continuam em Pagamentos.',
  'link-criado': 'Link criado. Agora é só compartilhar.',
  'links-importados': 'Os links do arquivo foram criados.',
  'imagem-salva': 'Imagem salva.',
  'imagem-removida': 'Imagem removida.',
  'link-alterado': 'Alterações salvas.',
  'link-duplicado': 'Cópia criada. Edite o que for diferente e compartilhe.',
  'link-ja-duplicado': 'Esta cópia já tinha sido criada. Para ter outra, duplique de novo.',
  'link-pausado': 'Link pausado. Ninguém consegue pagar até você reativar.',
  'link-reativado': 'Link reativado. Já pode ser pago de novo.',
  'link-enviado': 'Link enviado. O e-mail sai em instantes.',
  'link-enviado-sem-email':
    'Nenhum e-mail saiu: no ambiente de teste eles vão só às pessoas da sua empresa.',
  'link-arquivado': 'Link arquivado.',
  'link-desarquivado': 'Link desarquivado.',
  'chave-limitada': 'Endereços permitidos salvos. Valem a partir da próxima chamada.',
  'chave-revogada': 'Chave revogada.',
  'chave-ja-criada':
    'Esta chave já foi criada. Por segurança ela não aparece de novo; se não a guardou, revogue-a e crie outra.',
  'chave-ja-trocada':
    'Esta chave já foi trocada. Por segurança a nova não aparece de novo; se não a guardou, revogue-a e crie outra.',
  'endpoint-criado': 'Endpoint criado. Guarde o segredo no seu sistema e envie um evento de teste.',
  'endpoint-alterado': 'Alterações salvas.',
  'endpoint-desativado': 'Endpoint desativado. As entregas esperam até você reativar.',
  'endpoint-reativado': 'Endpoint reativado. As entregas que esperavam são enviadas agora.',
  'endpoint-removido': 'Endpoint removido.',
  'segredo-ja-trocado': 'O segredo já foi trocado. Revele-o se ainda não o guardou.',
  'retorno-ja-mudou':
    'Nada foi trocado agora: o segredo, ou os ajustes da empresa, mudaram depois de aberta esta página. Se já guardou o novo segredo, está pronto.',
  'teste-enviado': 'Evento de teste enviado. O que o destino responder aparece aqui em instantes.',
  'entrega-reenviada': 'Entrega reenviada. O resultado aparece aqui em instantes.',
  'entregas-reenviadas': 'Reenvio iniciado. As entregas saem em instantes.',
  'ajustes-salvos': 'Ajustes salvos. A página de pagamento já mostra as mudanças.',
  'emails-salvos': 'Preferências de e-mail salvas.',
  'logo-removido': 'Logotipo removido.',
  'conta-salva': 'Conta salva.',
  'conta-salva-e-testada': 'Conta salva, e a conexão funcionou.',
  'conta-removida': 'Conta removida.',
  'notificacoes-registradas': 'O banco já sabe para onde mandar as notificações.',
  'endereco-registrado': 'Endereço trocado. O provedor já avisa no novo.',
  'endereco-trocado':
    'Endereço trocado. Informe o novo ao provedor; até lá os pagamentos são encontrados por consulta, com algum atraso.',
  'provedor-escolhido': 'Pronto. Já vale para os próximos pagamentos.',
  'provedor-sem-notificacoes':
    'Pronto, já vale para os próximos pagamentos. O banco não aceitou o endereço das notificações: eles são acompanhados mesmo assim, com algum atraso.',
  'cartoes-liberados': 'Cartões liberados. Este link já pode ser pago com cartão de novo.',
  'tarifas-salvas':
    'Tarifas salvas. Valem para o que for aprovado a partir de agora; o que já foi continua como estava.',
  'recebimentos-salvos': 'Recebimentos salvos. Já vale para os próximos pagamentos.',
  senha: 'Senha alterada. Entre com a nova.',
  'senha-trocada': 'Senha trocada. As suas outras sessões foram encerradas.',
  'sessao-encerrada': 'Sessão encerrada.',
  'sessoes-encerradas': 'As suas outras sessões foram encerradas.',
  'duas-etapas-desativada': 'Verificação em duas etapas desativada.',
  'convite-cancelado': 'Convite cancelado. O link não funciona mais.',
  'papel-alterado': 'Papel alterado. Já vale a partir de agora.',
  'pessoa-removida': 'Pessoa removida. Ela não tem mais acesso.',
} as const

export const errorPageTexts = {
  notAllowed: 'O seu papel não inclui isto',
  again: 'Tentar de novo',
  formAgain: 'Abrir o formulário de novo',
  section: (title: string) => `Ir para ${title}`,
  home: 'Ir para o início',
} as const

export const tableTexts = { csv: 'CSV', xlsx: 'Excel' } as const

export const curlTexts = {
  keyGoesHere: 'SUA_CHAVE',
  title: 'Bolo de cenoura',
} as const

/** What people of each role may do. */
export const roleTexts = {
  owner:
    'Pode tudo: também devolve valores, cuida das chaves de API, dos webhooks, da equipe e dos ajustes.',
  finance:
    'Faz tudo o que um membro faz, devolve valores e define parcelas, juros e prazo do Pix. Não conecta provedores nem cuida da equipe.',
  member:
    'Cria links, cuida dos clientes e acompanha pagamentos e relatórios. Não devolve valores nem muda configurações.',
  accountant:
    'Consulta links, pagamentos, clientes e relatórios e baixa as tabelas. Não muda nada.',
} as const

/** Larger changes are shown as a multiple, since such percentages are hard to read. */
export const MANIFOLD_PERCENT = 900

export const figureTexts = {
  payments: (n: number) => countOf(n, 'pagamento'),
  change: (percent: number) => {
    if (percent === 0) return 'igual'
    if (percent >= MANIFOLD_PERCENT) return '▲ mais de 10 vezes'
    return `${percent > 0 ? '▲' : '▼'} ${formatCount(Math.abs(percent))}%`
  },
} as const

export const chartTexts = {
  belowOne: 'menos de 1%',
  before: (value: string) => `Período anterior: ${value}`,
} as const

export const listTexts = {
  orders: {
    padrao: 'Mais novos',
    antigos: 'Mais antigos',
    'maior-valor': 'Maior valor',
    'menor-valor': 'Menor valor',
  },
  moreThan: (count: string) => `mais de ${count}`,
  presets: {
    today: 'Hoje',
    yesterday: 'Ontem',
    week: '7 dias',
    month: 'Este mês',
    lastMonth: 'Mês passado',
  },
} as const

export const formTexts = {
  money: 'Informe um valor em reais (ex.: 1.990,00).',
  ambiguousMoney: (typed: string, one: string, other: string) =>
    `${typed} pode ser ${one} ou ${other}. Escreva também os centavos.`,
  minMoney: (least: string) => `O valor mínimo é ${least}.`,
  maxMoney: (most: string) => `O valor máximo é ${most}.`,
  suggestion: (meant: string) => `Você quis dizer ${meant}?`,
} as const

/** `from` is null where it is not known, or may not be read. */
type NamedChange = { name: string; from: string | null; to: string; when: string }

/** Two people edited the same form (versioned.ts). */
export const versionTexts = {
  changing: 'Nada foi salvo: alguém está mudando o mesmo agora. Volte e envie de novo.',
  became: (to: string) => ` → ${to}`,
  changed: (name: string, from: string, to: string) => `${name}: ${from} → ${to}`,
  when: (day: string | null, time: string) => (day ? `em ${day} às ${time}` : `às ${time}`),
  byPerson: (who: string, { name, from, to, when }: NamedChange) =>
    `${who} mudou “${name}”${from === null ? '' : ` de ${from}`} para ${to} ${when}`,
  bySomebody: (name: string, to: string) => `“${name}” mudou para ${to} enquanto você editava`,
  sent: (text: string) => `; você enviou ${text}`,
  none: 'nada',
} as const
