// `/painel/links/:id/enviar`: sends a link by e-mail, to its customer or to an address.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { emailField } from '../../customers/contact.ts'
import { findLinkedCustomer } from '../../customers/customer.ts'
import { newId } from '../../database/id.ts'
import type { LinkRow } from '../../payment-links/payment-link.ts'
import { sendLink } from '../../payment-links/sending/send.ts'
import { catchRefusal, readForm, readTypedFields, type TypedFields } from '../layout/forms/form.ts'
import { type FormRequest, registerForm } from '../layout/forms/register.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { findRequestedLink, recordLinkAudit } from './find.ts'
import { linkPageTexts } from './texts.ts'

const SendForm = z.object({ email: emailField.toLowerCase() })

export async function linkSendPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  registerForm(app, '/links/:id/enviar', {
    right: 'editLinks',
    async load(request) {
      const link = await findRequestedLink(needs.db, request)
      if (link.status === 'archived' || !needs.mail) return linkPagePath(link.id)
      const customer = await findLinkedCustomer(needs.db, link)
      return { link, email: customer?.email ?? '' }
    },
    toForm: ({ email }): TypedFields => ({ email }),
    readForm: ({ body }) => readTypedFields(body),
    parse: (typed) => readForm(SendForm, typed),
    save: (request, { link }, { email }) =>
      catchRefusal(saveSending(needs, request, link, email), ({ statusCode, message }) =>
        [409, 422, 429].includes(statusCode) ? [{ field: 'email', message }] : undefined,
      ),
    view: (request, reply, { form, errors }, { link }) =>
      show(request, reply, 'dashboard/links/send', {
        ...toSendPage(link, form, request.visitor.company),
        errors,
      }),
    done: ({ saved: { mailed } }, { link }) =>
      `${linkPagePath(link.id)}?feito=${mailed ? 'link-enviado' : 'link-enviado-sem-email'}`,
  })
}

export function toSendPage(
  { id, title }: Pick<LinkRow, 'id' | 'title'>,
  { email = '' }: TypedFields,
  { testMode }: { testMode: boolean },
) {
  return {
    title: linkPageTexts.titles.send,
    section: 'links' as const,
    link: { title, href: linkPagePath(id) },
    action: `${linkPagePath(id)}/enviar`,
    email,
    hint: testMode ? linkPageTexts.sending.testHint : linkPageTexts.sending.hint,
  }
}

async function saveSending(
  needs: DashboardNeeds,
  request: FormRequest,
  link: LinkRow,
  email: string,
) {
  const { company } = request.visitor
  const sending = await sendLink(needs, company, link, { email, id: newId(), now: needs.now() })
  // Without the address, which would stay there when the person is forgotten.
  await recordLinkAudit(needs, request, 'link_sent', link)
  return sending
}
