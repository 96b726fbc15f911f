// Renders the frame of every page of the dashboard: the visitor, the menu, and the result of the last action.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GetAssetUrl } from '../../http/assets.ts'
import { toRecord } from '../../http/fields.ts'
import { buildContentPolicy, sendView, type Views } from '../../http/html.ts'
import { getRights } from '../../users/roles.ts'
import { buildMenu, buildTabs, findSection, findSectionList, type Section } from './menu.ts'
import { ACCOUNT_PATH, HOME_PATH } from './paths.ts'
import { doneTexts } from './texts.ts'

/** The environment of an open page, and the instant at which it was read. */
export type NewPaymentsStart = { companyId: string; since: string }

/** What the frame needs. */
type FrameNeeds = { asset: GetAssetUrl; checkoutUrl: string; now: () => Date }

export type FormError = { field: string; message: string }

/** The version in a form that protects it from concurrent changes (versioned.ts). */
export type FormVersion = {
  value: string
  /** A sentence for each field that another person changed since the form was shown: who, what and when. */
  conflicts: string[]
}

/** The values that every page gives to the frame. */
type LayoutParts = {
  title: string
  /** Shown in a summary above the page and at their fields. */
  errors: FormError[]
  /** Files of views/assets. */
  scripts?: string[]
  /** For pages that show how many payments came in since they were opened (new-payments.ts). */
  newPayments?: NewPaymentsStart
}

type Frame = ReturnType<typeof buildLayout> & {
  /** Null without a form, and for a form of a new thing. */
  version: FormVersion | null
}

/** A view model of a page inside the frame. */
export type DashboardPage<Own extends object> = Frame & LayoutParts & Own

/** The view model of a page that this function loads. */
export type LoadedPage<Load extends (...given: never[]) => unknown> = DashboardPage<
  Omit<Awaited<ReturnType<Load>>, keyof LayoutParts | 'section' | 'version'>
>

/** The views inside the frame. */
export type PageName = {
  [Name in keyof Views]: Views[Name] extends Frame & LayoutParts ? Name : never
}[keyof Views]

/** The values of a page without those of the frame. */
export type PageParts<Name extends PageName> = Omit<Views[Name], keyof Frame | 'errors'> & {
  /** Where it is not the one in the page's address. */
  section?: Section | null
  errors?: FormError[]
  version?: FormVersion
}

export type RenderPage = <Name extends PageName>(
  request: FastifyRequest,
  reply: FastifyReply,
  view: Name,
  parts: PageParts<Name>,
) => Promise<unknown>

/** Renders a view inside the dashboard's frame. With errors the status is 422. */
export function createPageRenderer(needs: FrameNeeds): RenderPage {
  return async (request, reply, view, { errors = [], version, section, ...parts }) => {
    if (errors.length > 0 && reply.statusCode === 200) reply.code(422)
    if (version && version.conflicts.length > 0) reply.code(409)
    const frame = buildLayout(request, needs, section)
    const pictures = [request.visitor.company.logoUrl, needs.checkoutUrl]
    reply.header('content-security-policy', buildContentPolicy({ pictures }))
    return sendView(reply, view, { ...frame, errors, version: version ?? null, ...parts })
  }
}

function buildLayout(
  request: FastifyRequest,
  needs: FrameNeeds,
  section = findSection(request.url),
) {
  const { visitor, query, url } = request
  const { user, company, csrf } = visitor
  const { feito } = toRecord(query)
  const done: Record<string, string> = doneTexts
  const may = getRights(user.role)
  return {
    asset: needs.asset,
    now: needs.now(),
    company: { name: company.name, logoUrl: company.logoUrl },
    user: { email: user.email },
    may,
    csrf,
    section,
    environment: {
      testMode: company.testMode,
      /** The page to open after switching the environment: the list that this page belongs to. */
      back: section === 'conta' ? ACCOUNT_PATH : (findSectionList(may, section)?.href ?? HOME_PATH),
    },
    menu: buildMenu(may, section),
    sectionTabs: buildTabs(url, may, section),
    done: (typeof feito === 'string' && Object.hasOwn(done, feito) && done[feito]) || null,
  }
}
