// What the OpenAPI document says that no schema can: what the resources are for, what each operation
// does, and what only it refuses.

import { customerTexts } from '../customers/texts.ts'
import type { OperationNotes } from '../http/openapi/complete.ts'
import type { ApiNotes } from '../http/openapi/document.ts'
import { type DocumentedProblem, defineProblem } from '../http/openapi/problems.ts'
import { uploadTexts } from '../http/uploads/texts.ts'
import { linkTexts } from '../payment-links/texts.ts'
import { texts } from '../texts.ts'
import { refundTexts } from '../transactions/refunds/texts.ts'
import { simulationTexts } from '../transactions/simulation/texts.ts'
import { webhookTexts } from '../webhooks/texts.ts'
import { specifyEvents } from './stored-events.ts'
import { buildWebhooks, suitExamples } from './webhooks.ts'

const DESCRIPTION = `Crie um link de pagamento com uma chamada, compartilhe o endereço e saiba por webhook que foi pago. Os [guias](/api/docs) mostram cada passo.

Corpos e respostas são JSON. Dinheiro é um inteiro em centavos; instantes são ISO 8601 em UTC; ids são UUIDs. Uma chave é do ambiente de teste (\`sk_live_test…\`) ou do real, e nada sabe do outro; faz até 100 requisições em quaisquer 60 segundos. Listas se percorrem por \`cursor\`. Toda resposta diz o seu nome em \`X-Request-Id\`. Um cliente ignora campos que não conhece e aceita que falte um opcional.`

const TAGS = [
  {
    name: 'Payment links',
    'x-displayName': 'Links de pagamento',
    description: 'Um preço, as formas de pagamento e um endereço para compartilhar com quem paga.',
  },
  {
    name: 'Transactions',
    'x-displayName': 'Transações',
    description: 'Cada tentativa de pagar, do código Pix ou do cartão até a devolução.',
  },
  {
    name: 'Customers',
    'x-displayName': 'Clientes',
    description:
      'Quem paga, reconhecido pelo documento. A página de pagamento os cria no primeiro pagamento.',
  },
  {
    name: 'Reports',
    'x-displayName': 'Relatórios',
    description: 'O que entrou, como o painel o conta.',
  },
  {
    name: 'Events',
    'x-displayName': 'Eventos',
    description: 'O que os webhooks disseram, para ler e enviar de novo.',
  },
  {
    name: 'Webhook endpoints',
    'x-displayName': 'Endpoints de webhook',
    description: 'Os seus endereços que recebem webhooks, cada um com o próprio segredo.',
  },
  {
    name: 'Webhooks',
    'x-displayName': 'Eventos por webhook',
    description:
      'O que é enviado aos seus endpoints. Standard Webhooks 1.0: assinado, entregue pelo menos uma vez.',
  },
]

const ARCHIVED = defineProblem(
  409,
  'link_archived',
  'O link está arquivado: só muda com `status`, que o traz de volta.',
  linkTexts.archived,
)

const CUSTOMER_EXISTS: DocumentedProblem = {
  ...defineProblem(
    409,
    'customer_exists',
    'Outro cliente tem este documento; `Location` diz onde.',
    customerTexts.exists,
  ),
  headers: {
    Location: {
      description: 'Com `customer_exists`: o endereço do cliente que tem este documento.',
      schema: { type: 'string', examples: ['/api/customers/019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'] },
    },
  },
}

const FORGOTTEN = defineProblem(
  404,
  'not_found',
  'A resposta guardada para esta `Idempotency-Key` falava de um cliente que foi esquecido.',
  texts.notFound,
)

const PIX_UNAVAILABLE = linkTexts.methodUnavailable(texts.methods.pix)

const METHOD_UNAVAILABLE: DocumentedProblem = {
  ...defineProblem(
    422,
    'method_unavailable',
    'No ambiente real ninguém recebe por esta forma ainda.',
    PIX_UNAVAILABLE,
  ),
  errors: [{ field: 'methods', code: 'method_unavailable', message: PIX_UNAVAILABLE }],
}

const NOT_PAYABLE = defineProblem(
  409,
  'link_not_payable',
  'O link não está ativo, ou os pagamentos que ainda aceita estão em andamento.',
  simulationTexts.notPayable,
)

const LINK_PROBLEMS: DocumentedProblem[] = [
  ARCHIVED,
  METHOD_UNAVAILABLE,
  defineProblem(
    409,
    'invalid_transition',
    'Não pode ficar ativo sem um `maxPayments` maior ou um `expiresAt` mais tarde.',
    linkTexts.stillExpired,
  ),
]

const BROKEN_FORM = defineProblem(
  400,
  'invalid_form',
  'O formulário com o arquivo não chegou inteiro.',
  uploadTexts.brokenForm,
)

const REFUND_PROBLEMS: DocumentedProblem[] = [
  defineProblem(
    409,
    'invalid_transition',
    'Só se devolve o que foi aprovado e ainda não foi devolvido.',
    refundTexts.notRefundable('declined'),
  ),
  defineProblem(
    409,
    'refund_window_closed',
    'Um Pix pode ser devolvido por 90 dias, um cartão de teste por 180.',
    refundTexts.tooLate(90),
  ),
]

const OPERATIONS: Record<string, OperationNotes> = {
  createPaymentLink: {
    description:
      'Bastam um título, um preço e as formas de pagamento. Compartilhe a `url` da resposta com quem paga.',
    problems: [METHOD_UNAVAILABLE],
  },
  createPaymentLinks: {
    description:
      'Cada link é julgado pelas regras de um só e respondido no seu lugar: com `status` 201 e o link, ou com o motivo da recusa. Os que passam são criados juntos. Conta como uma requisição, o corpo pode ter 1 MB, e uma `Idempotency-Key` vale para tudo. O que parece um número de cartão, em qualquer lugar, recusa o lote inteiro.',
  },
  getPaymentLink: { description: 'Com quantas vezes foi pago e quanto rendeu.' },
  updatePaymentLink: { problems: LINK_PROBLEMS },
  putPaymentLinkImage: { problems: [ARCHIVED, BROKEN_FORM] },
  deletePaymentLinkImage: { problems: [ARCHIVED] },
  duplicatePaymentLink: { problems: [METHOD_UNAVAILABLE] },
  listCustomers: { description: 'Os filtros se somam.' },
  getCustomer: { description: 'O documento vem mascarado.' },
  createCustomer: { problems: [CUSTOMER_EXISTS, FORGOTTEN] },
  updateCustomer: { problems: [CUSTOMER_EXISTS] },
  getTransaction: { description: 'Como está agora, com o que foi devolvido.' },
  simulatePaymentLinkPayment: { problems: [NOT_PAYABLE] },
  getDispute: { description: 'Como o provedor a conta até agora.' },
  createRefund: { problems: REFUND_PROBLEMS, located: false },
  listRefunds: { description: 'Também os que falharam.' },
  listEvents: {
    description: 'Com ou sem endpoint que os quisesse.',
  },
  streamEvents: {
    description:
      'Server-sent events que não terminam: `id` é o do evento, `event` o tipo e `data` exatamente o corpo do webhook. Quem caiu manda o último `id` em `Last-Event-ID` e não perde nada; `stream.closed` diz por que encerramos. Um comentário a cada 15 segundos mantém a conexão viva. Abrir conta como uma requisição; podem ficar 20 abertas ao mesmo tempo.',
  },
  getEvent: { description: 'Com uma entrega para cada endpoint que o recebeu.' },
  redeliverEvents: {
    description:
      'Se o seu sistema perdeu o que tinha recebido, ou para um endpoint que veio depois. Até 10.000 entregas por pedido; os ids não mudam, e o que já foi feito se reconhece pelo `webhook-id`.',
    problems: [
      defineProblem(
        409,
        'not_resendable',
        'O endpoint de `endpointId` está desativado.',
        webhookTexts.endpointDisabled,
      ),
    ],
  },
  redeliverEvent: {
    description: 'A todo endpoint ativo que o recebeu, ou a um só. Por 30 dias.',
    problems: [
      defineProblem(409, 'event_too_old', 'O evento tem mais de 30 dias.', webhookTexts.tooOld(30)),
      defineProblem(
        409,
        'not_resendable',
        'O endpoint de `endpointId` está desativado, ou a entrega a ele está em andamento.',
        webhookTexts.notResendable,
      ),
    ],
  },
  listWebhookEndpoints: { description: 'Sem os segredos.' },
  createWebhookEndpoint: {
    description: 'O segredo vem nesta resposta e em nenhuma outra. No máximo 10 por ambiente.',
    problems: [
      defineProblem(
        409,
        'too_many_endpoints',
        'O ambiente já tem 10 endpoints.',
        webhookTexts.tooManyEndpoints(10),
      ),
    ],
  },
  getWebhookEndpoint: { description: 'Sem o segredo.' },
  updateWebhookEndpoint: {
    description: 'Só mudam os campos do corpo. As entregas esperam enquanto está desativado.',
  },
  deleteWebhookEndpoint: {
    description: 'O que ainda não foi entregue não será mais. Os eventos ficam.',
  },
  rotateWebhookEndpointSecret: {
    description:
      'O segredo anterior também assina, por 24 horas ou pelo tempo que o corpo disser. Trocado de novo nesse tempo, os anteriores continuam assinando, até quatro; com `overlapHours` 0, todos deixam de valer agora.',
  },
  testWebhookEndpoint: {
    description: 'Um evento como os de verdade, com `testMode` true, só a este endpoint.',
    located: true,
    problems: [
      defineProblem(
        409,
        'endpoint_disabled',
        'O endpoint está desativado.',
        webhookTexts.endpointDisabled,
      ),
      defineProblem(
        409,
        'test_environment_only',
        'O endpoint é do ambiente real.',
        webhookTexts.testEnvironmentOnly,
      ),
    ],
  },
}

export function apiNotes(): ApiNotes {
  return {
    description: DESCRIPTION,
    tags: TAGS,
    operations: OPERATIONS,
    webhooks: buildWebhooks(),
    shapeDocument: specifyEvents,
    finishDocument: suitExamples,
  }
}
