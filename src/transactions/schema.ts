import { z } from 'zod'
import { Customer } from '../customers/schema.ts'
import {
  DECLINE_CODES,
  FEE_SOURCES,
  PAYMENT_METHODS,
  TRANSACTION_STATUSES,
  UTM_NAMES,
} from '../database/enums.ts'
import {
  createdAtField,
  createdFromField,
  createdToField,
  describeField,
  idField,
  instantField,
  instantFilterField,
  linkFilterField,
  testModeField,
  updatedAtField,
} from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { LinkFilters, PaymentLink } from '../payment-links/schema.ts'
import { linkTexts } from '../payment-links/texts.ts'
import { PixInstitution } from '../providers/received.ts'
import { buildRecord } from '../record.ts'

/** The greatest possible total: the greatest price in 12 installments, with room for any rate. */
export const MAX_AMOUNT_CENTS = 2_000_000_000

export const AnswerResource = z
  .object({
    key: z.string().meta({ description: 'Do campo que perguntou.', examples: ['tamanho'] }),
    label: z.string().meta({ description: 'Como o pagador leu.' }),
    value: z.string().meta({
      description: 'Em palavras; um número como `1234.56`, um dia como `2026-12-31`.',
      examples: ['M'],
    }),
  })
  .meta({ id: 'CustomFieldAnswer', description: 'O que foi respondido.' })

export const TransactionResource = z
  .object({
    id: idField,
    paymentLinkId: describeField(z.uuid(), 'O link pago.', '019a3f5d-1b2c-7d3e-8f40-516273849506'),
    paymentLinkSlug: describeField(z.string(), 'O slug desse link.', 'k7Pm3XwQzt'),
    status: describeField(
      z.enum(TRANSACTION_STATUSES),
      'Em que situação está o pagamento.',
      'approved',
    ),
    method: describeField(z.enum(PAYMENT_METHODS), 'A forma de pagamento.', 'pix'),
    amountCents: describeField(z.int(), 'O preço do link quando foi mostrado ao pagador.', 1990),
    interestCents: z.int().describe('Juros por conta do pagador, em centavos.'),
    discountCents: z.int().describe('O desconto de um Pix, em centavos.'),
    totalCents: describeField(
      z.int(),
      'O que o pagador paga: amountCents + interestCents - discountCents.',
      1990,
    ),
    refundedCents: z
      .int()
      .describe('Quanto já foi devolvido da venda, em centavos; o excedente que voltou não conta.'),
    chargedBackCents: z.int().describe('Quanto se perdeu em contestações, em centavos.'),
    feeCents: describeField(
      z.int().nullable(),
      'O que o provedor fica do total: o que ele diz, ou a tarifa que a empresa informou até a aprovação. `null` onde ninguém disse.',
      99,
    ),
    feeSource: describeField(
      z.enum(FEE_SOURCES).nullable(),
      'Quem disse a tarifa: `company` ou `provider`.',
      'company',
    ),
    netCents: describeField(
      z.int().nullable(),
      'O líquido: totalCents, menos o que voltou e a tarifa, que o provedor não devolve: devolvido por inteiro é menor que zero. `null` sem a tarifa.',
      1891,
    ),
    expectedOn: z
      .string()
      .nullable()
      .meta({
        description:
          'O dia, em São Paulo, em que o provedor disse que paga o líquido. `null` onde ele não diz.',
        format: 'date',
        examples: ['2026-11-22'],
      }),
    payoutParts: describeField(z.int().nullable(), 'Sempre 1 com um `expectedOn`.', 1).meta({
      deprecated: true,
    }),
    currency: z.enum(['BRL']).describe('Sempre o real.'),
    installments: describeField(z.int(), 'Em quantas parcelas.', 1),
    installmentCents: describeField(z.int(), 'O valor de cada uma, em centavos.', 1990),
    interestMode: PaymentLink.shape.interestMode,
    interestRateBps: describeField(
      z.int(),
      'Taxa ao mês em centésimos de por cento: 299 são 2,99 %.',
      299,
    ),
    card: z
      .object({
        brand: describeField(z.string(), 'A bandeira do cartão.', 'visa'),
        last4: describeField(z.string(), 'Os quatro últimos dígitos.', '4242'),
        holderName: describeField(z.string().nullable(), 'O nome impresso.', 'MARIA SILVA'),
      })
      .nullable()
      .meta({
        description:
          'De um pagamento com cartão. De um cartão digitado na página do provedor, `null` até que ele o diga.',
        examples: [null],
      }),
    pix: z
      .object({
        txid: describeField(z.string(), 'O id da cobrança.', 'PL7978c0c97ea847e78e8849630'),
        endToEndId: describeField(
          z.string().nullable(),
          'O id da transferência, depois de paga.',
          'E18236120202611211405s0a1b2c3d4',
        ),
        brCode: z.string().nullable().describe('O código copia e cola.'),
        expiresAt: instantField.nullable().describe('Até quando o código Pix pode ser pago.'),
        institution: PixInstitution.nullable().describe(
          'A instituição que recebe; `null` onde não é conhecida, e antes de 29/11/2026.',
        ),
      })
      .nullable()
      .describe('De um pagamento por Pix.'),
    threeDs: z
      .object({
        status: describeField(z.string(), 'O resultado.', 'authenticated'),
        eci: describeField(z.string().nullable(), 'O grau de certeza do banco.', '05'),
        flow: describeField(z.string(), 'Se o banco perguntou ao pagador.', 'frictionless'),
      })
      .nullable()
      .meta({ description: 'Como o cartão foi autenticado.', examples: [null] }),
    declineCode: z.enum(DECLINE_CODES).nullable().describe('Por que foi recusado.'),
    declineMessage: z
      .string()
      .nullable()
      .describe(
        'O mesmo numa frase em português; a página a diz na língua do pagador e, onde não há Pix, sem falar dele.',
      ),
    customer: z
      .object({
        id: idField,
        name: describeField(z.string(), 'Nome completo.', 'Maria Silva'),
        email: describeField(z.string().nullable(), 'Endereço de e-mail.', 'maria@example.com.br'),
        taxId: Customer.shape.taxId,
        foreignDocument: Customer.shape.foreignDocument,
      })
      .describe('Quem pagou, como digitado na página de pagamento.'),
    possibleDuplicateOf: z
      .string()
      .nullable()
      .describe(
        'Outra transação, paga antes desta, que esta pode repetir: do mesmo navegador, que começou esta no lugar dela, ou do mesmo link, se ele aceita um pagamento só. Confira, e devolva uma se foi engano.',
      ),
    paidLate: z.boolean().describe('Pago depois que o prazo acabou ou o link foi concluído.'),
    holdReason: z
      .string()
      .nullable()
      .describe(
        'Por que espera: chegou outro valor, numa frase; ou `unreadable`, quando o provedor diz que foi pago e o que entrou não pôde ser lido; ou um cartão recusado foi cobrado e o provedor não o devolveu (`status` segue `declined`). É aprovada quando o resto entra, quando pode ser lido ou quando você aceita o que entrou; depois de devolvida, fica `canceled`.',
      ),
    externalReference: PaymentLink.shape.externalReference,
    metadata: PaymentLink.shape.metadata,
    tags: PaymentLink.shape.tags,
    customFields: z
      .array(AnswerResource)
      .describe('O que o pagador respondeu; vazio onde nada foi, ou onde o pagador foi esquecido.'),
    ref: describeField(
      z.string().nullable(),
      'O que o endereço da página de pagamento dizia quando o pagador a abriu: `?ref=`.',
      'campanha-natal',
    ),
    utm: z
      .object(buildRecord(UTM_NAMES, (name) => z.string().nullable().describe(`\`?utm_${name}=\``)))
      .nullable()
      .meta({
        description:
          'A campanha de que o mesmo endereço falava, cada texto até 100 bytes; `null` se de nenhuma.',
        examples: [null],
      }),
    receiptUrl: describeField(
      z.string(),
      'A página do pagamento: a situação e, no fim, o comprovante.',
      'https://links.example.com.br/pagar/k7Pm3XwQzt/payments/Vb3nQ8rT5wYz',
    ),
    createdAt: createdAtField,
    approvedAt: describeField(
      instantField.nullable(),
      'Quando foi pago.',
      '2026-11-21T14:05:09.120Z',
    ),
    expiresAt: instantField
      .nullable()
      .describe('Até quando pode ser pago o código Pix, ou o cartão na página do provedor.'),
    updatedAt: updatedAtField,
    testMode: testModeField,
  })
  .meta({ id: 'Transaction' })

export const NewAcceptance = z
  .strictObject({
    amountCents: z
      .int()
      .min(0)
      .max(MAX_AMOUNT_CENTS, { error: () => linkTexts.maxAmount(MAX_AMOUNT_CENTS) })
      .optional()
      .meta({
        description:
          'O que entrou, em centavos. Necessário quando não pôde ser lido (`unreadable`): o que o extrato da conta mostra, até `totalCents`; com 0, a transação termina como `canceled`. Nas outras, se vem, deve ser o que entrou.',
        examples: [1990],
      }),
  })
  .meta({ id: 'NewAcceptance', examples: [{ amountCents: 1990 }] })

export type TransactionResource = z.output<typeof TransactionResource>

export const TransactionFilters = z.strictObject({
  status: z.enum(TRANSACTION_STATUSES).optional().describe('Em que situação está.'),
  method: z.enum(PAYMENT_METHODS).optional().describe('A forma de pagamento.'),
  paymentLinkId: linkFilterField,
  customerId: z.uuid().optional().describe('Quem pagou.'),
  tag: LinkFilters.shape.tag.describe(
    'Transações que têm todas estas etiquetas. Pode ser repetido.',
  ),
  externalReference: textField({ min: 1, max: 64 })
    .optional()
    .describe('O seu nome para isto, como o número de um pedido. Não precisa ser único.'),
  metadata: LinkFilters.shape.metadata,
  createdFrom: createdFromField,
  createdTo: createdToField,
  approvedFrom: instantFilterField
    .optional()
    .describe('Aprovadas a partir deste instante: a lista vem na ordem das aprovações.'),
  approvedTo: instantFilterField.optional().describe('Aprovadas até este instante.'),
  updatedFrom: instantFilterField
    .optional()
    .describe(
      'Alteradas a partir deste instante: a lista vem na ordem das alterações. Uma transação que muda nesse meio-tempo é de um período posterior.',
    ),
  updatedTo: instantFilterField.optional().describe('Alteradas pela última vez até este instante.'),
})

export type TransactionFilters = z.output<typeof TransactionFilters>
