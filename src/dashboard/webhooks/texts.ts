import { countOf, formatCount } from '../../format.ts'
import { webhookTexts } from '../../webhooks/texts.ts'

export const webhookPageTexts = {
  titles: {
    create: 'Novo endpoint',
    change: 'Editar endpoint',
    remove: 'Remover endpoint',
    rotate: 'Trocar segredo',
    redirect: 'Segredo dos retornos',
    deliveries: 'Entregas',
    resend: 'Reenviar entregas',
  },
  any: { endpoints: 'Todos', types: 'Todos', states: 'Todas', time: 'Desde sempre' },
  url: 'Informe o endereço que recebe os webhooks.',
  noEvent: 'Escolha ao menos um evento.',
  /** Names of changed fields in the audit log. */
  fields: {
    url: 'endereço',
    events: 'eventos',
    headers: 'cabeçalhos',
    headerValues: 'valores dos cabeçalhos',
  },
  savedValues: 'os que estavam salvos',
  typedValues: (names: string) => `outros (${names})`,
  events: webhookTexts.events,
  health: {
    disabled: 'Desativado',
    none: 'Sem entregas',
    good: 'Saudável',
    bad: 'Com falhas',
    noneYet: 'Nenhuma entrega até agora',
    waiting: 'As entregas esperam até você reativar',
    delivered: (n: number) => `${countOf(n, 'entrega')} em 24 horas`,
    failing: (n: number, of: number) => `${n} de ${countOf(of, 'entrega')} em 24 horas`,
    quiet: 'Nada enviado nas últimas 24 horas',
    lastFailed: 'A última entrega falhou',
  },
  states: {
    delivered: 'Entregues',
    failed: 'Com falha',
    given_up: 'Sem novas tentativas',
    queued: 'Na fila',
  },
  state: {
    delivered: 'Entregue',
    givenUp: 'Não entregue',
    retrying: 'Tentando de novo',
    queued: 'Na fila',
    underWay: 'Sendo enviada',
  },
  since: { 1: 'Últimas 24 horas', 7: 'Últimos 7 dias', 30: 'Últimos 30 dias' },
  http: (status: number) => `HTTP ${status}`,
  /** The outcome of an attempt, and what to do about it. */
  reasons: {
    timeout: [
      'O destino não respondeu em 15 segundos.',
      'Responda 2xx assim que receber o webhook e faça o resto depois.',
    ],
    dns_failure: [
      'O domínio do destino não foi encontrado.',
      'Confira se o endereço está escrito certo e se o DNS do domínio responde.',
    ],
    connection_refused: [
      'O destino recusou ou interrompeu a conexão.',
      'Confira se o servidor está no ar, se a porta é esta e se o firewall a libera.',
    ],
    tls_failure: [
      'O certificado TLS do destino não é válido.',
      'Confira a validade do certificado, o domínio dele e se a cadeia está completa.',
    ],
    private_address: [
      'O endereço do destino não é público.',
      'O domínio aponta para uma rede interna. Use um servidor acessível pela internet.',
    ],
    response_too_large: [
      'A resposta do destino passou de 20 kB.',
      'Responda 2xx com o corpo vazio.',
    ],
    gone: [
      'O destino respondeu 410 (Gone), que quer dizer que não existe mais.',
      'Por isso o endpoint foi desativado. Se foi engano, corrija o destino e reative o endpoint.',
    ],
    secret_unreadable: [
      'O segredo do endpoint não pôde ser lido.',
      'A SECRET_KEY do servidor mudou. Troque o segredo do endpoint.',
    ],
    broken: [
      'A conexão caiu antes do fim da resposta.',
      'Confira se o servidor, ou o proxy à frente dele, fecha conexões cedo demais.',
    ],
  },
  delivered: (status: number) => `Recebido: HTTP ${status}.`,
  refused: (status: number) => `O destino respondeu HTTP ${status}.`,
  /** What to do about an HTTP status; the first match counts. */
  statuses: {
    redirect:
      'Redirecionamentos não são seguidos. Cadastre o endereço final, com https e a barra certa.',
    denied:
      'O destino pediu senha ou barrou o acesso. Libere este endereço: a assinatura já diz que somos nós.',
    missing: 'Este caminho não existe no seu servidor, ou não aceita POST. Confira o endereço.',
    refused:
      'Seu sistema recusou o conteúdo. Confira o segredo na verificação da assinatura e o que a resposta diz.',
    tooMany: 'Seu sistema pediu para esperar. A próxima tentativa respeita o Retry-After.',
    down: 'Seu sistema está fora do ar ou sobrecarregado. Tentaremos de novo sozinhos.',
    failed: 'Seu sistema falhou. Procure o erro no log dele, no horário da tentativa.',
  },
  omitted: 'assinatura v1 omitida',
  tooManyTests: 'Muitos eventos de teste em pouco tempo. Espere um minuto e tente de novo.',
  remove: {
    question: (url: string) => `Remover o endpoint ${url}?`,
    consequences: [
      'Nenhum evento vai mais para este endereço.',
      'As entregas dele somem desta página, com o histórico das tentativas.',
      'Isso não pode ser desfeito. Para só parar por um tempo, desative-o.',
    ],
    button: 'Remover',
  },
  rotate: {
    question: (url: string) => `Trocar o segredo de ${url}?`,
    overlap:
      'Por 24 horas assinamos também com o segredo anterior: troque no seu sistema nesse tempo.',
    already: (until: string) =>
      `Uma troca já está em andamento, até ${until}. Os segredos de antes assinam também, por mais 24 horas.`,
    button: 'Trocar segredo',
  },
  rotateRedirect: {
    question: 'Trocar o segredo que assina o retorno do pagador ao seu site?',
    consequences: [
      'O de agora deixa de assinar neste instante: até o seu sistema conhecer o novo, ele recusa os retornos.',
      'O novo aparece uma única vez.',
      'Webhooks não mudam: eles são a prova do pagamento, e o retorno é só a página.',
    ],
    button: 'Trocar segredo',
  },
  which: {
    falhas: 'Só as que deixamos de tentar',
    todas: 'Todas, também as entregues',
  },
  resend: {
    since: 'Informe data e hora dos últimos 30 dias (ex.: 31/12/2026 23:59).',
    type: 'Escolha um evento da lista.',
    question: (n: number) =>
      n === 1 ? 'Reenviar 1 entrega?' : `Reenviar ${n.toLocaleString('pt-BR')} entregas?`,
    to: (url: string) => `Só as do endpoint ${url}.`,
    between: (from: string, to: string) => `São as dos eventos de ${from} até ${to}.`,
    deliveredToo: 'Também as que foram entregues.',
    left: (n: number) =>
      n === 1
        ? '1 das escolhidas não vai: já está a caminho, tem mais de 30 dias, ou o endpoint está desativado.'
        : `${formatCount(n)} das escolhidas não vão: já estão a caminho, têm mais de 30 dias, ou o endpoint está desativado.`,
    ofType: (name: string) => `Só as de "${name}".`,
    toOne: (url: string) => `Só ao endpoint ${url}, também o que ele nunca recebeu.`,
    twice: 'Elas levam o mesmo webhook-id: seu sistema reconhece o que já recebeu.',
    button: 'Reenviar',
  },
} as const
