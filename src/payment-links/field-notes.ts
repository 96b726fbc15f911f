// Descriptions of a link's fields for the OpenAPI document, shared by requests and answers.
import { z } from 'zod'
import { describeField } from '../http/fields.ts'

export type FieldNote = { description: string; examples?: unknown[]; format?: string }

export const notes = {
  slug: { description: 'O nome do link no endereço.', examples: ['k7Pm3XwQzt'] },
  url: {
    description: 'O endereço completo da página de pagamento.',
    examples: ['https://links.example.com.br/pagar/k7Pm3XwQzt'],
    format: 'uri',
  },
  prefill: {
    description:
      'O que já se sabe de quem paga um link de um só pagamento (`maxPayments: 1`): preenche a página aberta pela `prefilledUrl`. Não fica guardado no link.',
    examples: [{ name: 'Maria Silva', taxId: '529.982.247-25' }],
  },
  prefilledUrl: {
    description:
      'Só na resposta que cria o link com `prefill`: o endereço com os dados cifrados, para enviar a essa pessoa. A página mostra o documento mascarado. Vale enquanto o link vale.',
    examples: ['https://links.example.com.br/pagar/k7Pm3XwQzt?p=VlMxZm9v'],
    format: 'uri',
  },
  title: { description: 'O que o pagador lê acima do valor.', examples: ['Bolo de cenoura'] },
  priceMode: { description: 'O preço é o do link.' },
  amountCents: { description: 'Preço em centavos.', examples: [1990] },
  methods: {
    description: 'As formas de pagamento que o pagador pode escolher, nesta ordem.',
    examples: [['pix', 'credit_card']],
  },
  maxInstallments: {
    description: 'Em até quantas parcelas; sem ele, o ajuste da empresa, e 1 quando só há Pix.',
    examples: [3],
  },
  interestMode: {
    description:
      '`absorb`: a empresa assume os juros do parcelamento; `pass_to_customer`: o pagador.',
    examples: ['absorb'],
  },
  interestFreeInstallments: {
    description:
      'Até quantas parcelas o pagador não paga juros, no máximo `maxInstallments`; `null`: o ajuste da empresa. Com `absorb` nenhuma parcela tem juros; onde o provedor diz os juros, valem as parcelas e os juros da conta de lá.',
    examples: [null],
  },
  pixDiscountBps: {
    description:
      'Quanto um Pix custa a menos, em centésimos de por cento: 500 são 5 %, até 5000. O desconto é arredondado ao centavo, meio centavo para cima. `null`: o ajuste da empresa; 0: nenhum desconto.',
    examples: [null],
  },
  status: {
    description:
      '`expired` e `completed` vêm por si, de `expiresAt` e `maxPayments`; `archived`, do DELETE, e um PATCH com `status` o traz de volta.',
    examples: ['active'],
  },
  threeDsMode: { description: 'Cartões são sempre autenticados por 3-D Secure.' },
  tags: { description: 'Etiquetas livres.', examples: [['balcao']] },
  linkedCustomerId: {
    description: 'O único cliente que pode pagar; a página de pagamento pede o documento.',
  },
  expiresAt: {
    description:
      'Até quando pode ser pago, no máximo até este dia e hora do próximo ano; `null`: sem fim.',
  },
  maxPayments: {
    description:
      'Depois de tantos pagamentos aprovados, o link está concluído; `null`: sem limite.',
  },
  remindEveryDays: {
    description:
      'Lembra quem deve pagar, por e-mail, a cada tantos dias sem pagamento e na véspera de `expiresAt`; no máximo três vezes, das 9h às 18h de Brasília, e nunca depois de um pagamento. Vai ao cliente do link e a quem o recebeu por `POST /payment-links/{id}/send`. `null`: não lembra.',
    examples: [3],
  },
  metadata: {
    description: 'Pares de texto seus, copiados para cada transação e cada webhook do link.',
    examples: [{ vendedor: 'Ana' }],
  },
  customFields: { description: 'O que mais a página de pagamento pergunta.', examples: [[]] },
  imageUrl: {
    description: 'Onde está a imagem, para todos; `null` sem imagem.',
    examples: [null],
  },
  paymentsCount: {
    description: 'Pagamentos aprovados até agora, sem os que uma contestação levou por inteiro.',
    examples: [1],
  },
  amountReceivedCents: {
    description: 'Quanto renderam, descontadas as devoluções.',
    examples: [1990],
  },
  recipients: {
    description: 'Para onde o link foi por e-mail, os mais novos primeiro; no máximo 50.',
    examples: [[]],
  },
} satisfies Record<string, FieldNote>

/** The link in an address. */
export const LinkParams = z.object({
  idOrSlug: describeField(z.string(), 'O id ou o slug do link.', 'k7Pm3XwQzt'),
})
