import { z } from 'zod'
import { emailField } from '../../customers/contact.ts'
import { blankableField, describeField, instantField } from '../../http/fields.ts'

const emailNote = { description: 'Em minúsculas.', examples: ['maria@exemplo.com.br'] }

export const NewSending = z
  .strictObject({
    email: blankableField(
      emailField.toLowerCase().meta({
        description: 'Para quem. Sem ele, o cliente do link. `Maria <maria@exemplo.com.br>` serve.',
        examples: ['maria@exemplo.com.br'],
      }),
    ),
  })
  .meta({ id: 'NewSending', examples: [{ email: 'maria@exemplo.com.br' }] })

export const LinkRecipient = z
  .object({
    email: z.string().meta(emailNote),
    sentAt: instantField
      .nullable()
      .describe('Quando o link foi enviado por último; `null` se só houve lembretes.'),
    remindedAt: instantField.nullable().describe('Quando foi o último lembrete.'),
    remindersSent: describeField(z.int(), 'Quantos lembretes foram, de no máximo três.', 0),
    stoppedAt: instantField
      .nullable()
      .describe('Quando quem lê pediu para parar: nada mais vai para lá sobre este link.'),
    refusedAt: instantField
      .nullable()
      .describe(
        'Quando o servidor de e-mail recusou o endereço de vez: não vão lembretes até um novo envio.',
      ),
  })
  .meta({ id: 'LinkRecipient', description: 'Um endereço que recebeu o link por e-mail.' })

export const mailedField = describeField(
  z.boolean(),
  '`false` quando nenhum e-mail sai: no ambiente de teste, eles vão só às pessoas da própria empresa.',
  true,
)

export const LinkSending = LinkRecipient.extend({ mailed: mailedField }).meta({ id: 'LinkSending' })

export type LinkSending = z.output<typeof LinkSending>

/** Whom an event about a sent link is about. */
export const SendingTarget = z
  .object({
    customerId: z
      .uuid()
      .nullable()
      .describe('O cliente do link, quando foi a ele; telefone e nome estão em `GET /customers`.'),
    email: z
      .string()
      .nullable()
      .meta({
        ...emailNote,
        description: 'O endereço; `null` num lembrete a um cliente sem e-mail que sirva.',
      }),
    mailed: mailedField,
  })
  .meta({ id: 'SendingTarget', description: 'Para quem, e se um e-mail saiu.' })

export type SendingTarget = z.output<typeof SendingTarget>
