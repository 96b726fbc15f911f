// `/painel/links/:id/enviar`: sends a link by e-mail, to its customer or to an address. `/painel/links/:id/cartaz`: the
// link on one sheet of paper for the counter, printed by the browser, without the dashboard's frame.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import { emailField } from '../../customers/contact.ts'
import { findLinkedCustomer } from '../../customers/customer.ts'
import { newId } from '../../database/id.ts'
import { formatBrl, formatDayAndTime } from '../../format.ts'
import { formatPixPrice, quotePix } from '../../payment-links/installments.ts'
import { getLinkStatus, type LinkRow } from '../../payment-links/payment-link.ts'
import { sendLink } from '../../payment-links/sending/send.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import {
  catchRefusal,
  type FormRequest,
  readForm,
  readTypedFields,
  registerForm,
  registerPage,
  type TypedFields,
} from '../layout/form.ts'
import type { DashboardNeeds } from '../layout/needs.ts'
import { linkPagePath } from '../layout/paths.ts'
import { linkPageTexts } from './texts.ts'
import { describeMethods, findRequestedLink, recordLinkAudit } from './view.ts'

const SendForm = z.object({ email: emailField.toLowerCase() })

export async function linkSendPages(app: FastifyInstance, needs: DashboardNeeds) {
  const { show } = needs

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

const SHEETS = ['a6', 'a5', 'a4'] as const
const PosterQuery = z.object({ folha: z.enum(SHEETS).catch('a5') })
/** A longer title is set in smaller letters. */
const MAX_LARGE_TITLE = 40

export async function linkPosterPages(app: FastifyInstance, needs: DashboardNeeds) {
  registerPage(app, needs, '/links/:id/cartaz', ['read', 'dashboard/links/poster'], loadPoster)
}

export async function loadPoster({ db, checkoutUrl, now }: DashboardNeeds, request: FormRequest) {
  const link = await findRequestedLink(db, request)
  const { company } = request.visitor
  const { folha: sheet } = PosterQuery.parse(request.query)
  const { title, amountCents, expiresAt } = link
  const words = linkPageTexts.poster
  const href = linkPagePath(link.id)
  const state = getLinkStatus(link, now())
  const { host, pathname } = new URL(linkUrl(checkoutUrl, link.slug))
  return {
    title: words.title(title),
    sheet,
    sheets: SHEETS.map((name) => ({
      name: name.toUpperCase(),
      href: `${href}/cartaz?folha=${name}`,
      isChosen: name === sheet,
    })),
    /** Why it cannot be paid: printed too, so that it is not hung up. */
    warnings: [
      ...(company.testMode ? [words.testMode] : []),
      ...(state === 'active' ? [] : [words.states[state]]),
    ],
    poster: {
      back: href,
      qr: `${href}/qr.svg`,
      title,
      isLong: [...title].length > MAX_LARGE_TITLE,
      amount: formatBrl(amountCents),
      methods: describeWays(link, company),
      until: expiresAt && state === 'active' ? words.until(formatDayAndTime(expiresAt)) : null,
      address: host + pathname,
    },
  }
}

/** `Pix ou cartão em até 6x`, or `R$ 95,00 no Pix (5% de desconto), ou cartão em até 6x`. */
function describeWays(link: LinkRow, company: Company) {
  const { methods, maxInstallments } = link
  const pix = quotePix(link, company)
  if (!methods.includes('pix') || pix.discountCents === 0)
    return describeMethods(methods, maxInstallments)
  const pixPrice = formatPixPrice(pix)
  if (!methods.includes('credit_card')) return pixPrice
  return linkPageTexts.poster.orCard(pixPrice, describeMethods(['credit_card'], maxInstallments))
}
