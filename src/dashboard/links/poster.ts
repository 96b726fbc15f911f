// `/painel/links/:id/cartaz`: a link on one sheet of paper for the counter, printed by the browser. Nothing of the
// dashboard's frame is on it.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Company } from '../../companies/company.ts'
import { formatBrl, formatDay, formatTime } from '../../format.ts'
import { formatPixPrice, quotePix } from '../../payment-links/installments.ts'
import { getLinkStatus, type LinkRow } from '../../payment-links/payment-link.ts'
import { linkUrl } from '../../payment-links/serialize.ts'
import { type ById, type DashboardNeeds, requireRight } from '../layout/needs.ts'
import { createPageRenderer } from '../layout/page.ts'
import { linkPagePath } from '../layout/paths.ts'
import { findRequestedLink } from './find.ts'
import { linkPageTexts } from './texts.ts'
import { describeMethods } from './view.ts'

const SHEETS = ['a6', 'a5', 'a4'] as const
const PosterQuery = z.object({ folha: z.enum(SHEETS).catch('a5') })
/** A longer title is set in smaller letters. */
const MAX_LARGE_TITLE = 40

export async function linkPosterPages(app: FastifyInstance, needs: DashboardNeeds) {
  const show = createPageRenderer(needs)

  app.get<ById>('/links/:id/cartaz', requireRight('read'), async (request, reply) => {
    const link = await findRequestedLink(needs.db, request)
    const { folha } = PosterQuery.parse(request.query)
    const poster = buildPoster(needs, request.visitor.company, link, folha)
    return show(request, reply, 'dashboard/links/poster', poster)
  })
}

export function buildPoster(
  { checkoutUrl, now }: Pick<DashboardNeeds, 'checkoutUrl' | 'now'>,
  company: Company,
  link: LinkRow,
  sheet: (typeof SHEETS)[number],
) {
  const { title, amountCents, expiresAt } = link
  const words = linkPageTexts.poster
  const href = linkPagePath(link.id)
  const state = getLinkStatus(link, now())
  const { host, pathname } = new URL(linkUrl(checkoutUrl, link.slug))
  return {
    title: words.title(title),
    section: 'links' as const,
    sheet,
    sheets: SHEETS.map((name) => ({
      name: name.toUpperCase(),
      href: `${href}/cartaz?folha=${name}`,
      isChosen: name === sheet,
    })),
    /** Why nobody can pay by it: printed too, so that it is not hung up. */
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
      until:
        expiresAt && state === 'active'
          ? words.until(formatDay(expiresAt), formatTime(expiresAt))
          : null,
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
