// Renders the frame of every page of the dashboard: the visitor, the menu, and the result of the last action.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { toRecord } from '../../http/fields.ts'
import { buildContentPolicy, sendView, type Views } from '../../http/html.ts'
import { getRights } from '../../users/roles.ts'
import { buildMenu, buildTabs, findSectionList, type Section } from './menu.ts'
import type { DashboardNeeds } from './needs.ts'
import type { NewsStart } from './news.ts'
import { ACCOUNT_PATH, HOME_PATH } from './paths.ts'
import { doneTexts } from './texts.ts'

export type FormError = { field: string; message: string }

/** The version that a form carries against concurrent changes (forms/versioned.ts). */
export type FormVersion = { value: string; conflicts: FieldConflict[] }

/** A field that somebody else changed since the form was shown: who, what and when. */
export type FieldConflict = { sentence: string }

/** What every page tells the frame around it. */
type LayoutParts = {
  title: string
  section: Section | null
  /** Stand in a summary on top and at their fields. */
  errors: FormError[]
  /** Files of views/assets. */
  scripts?: string[]
  /** Of a page that says how many payments came in since (news.ts). */
  news?: NewsStart
}

type Frame = ReturnType<typeof buildLayout> & {
  /** Null where there is no form, or one of something new. */
  version: FormVersion | null
}

/** A view model of a page inside the frame. */
export type DashboardPage<Own extends object> = Frame & LayoutParts & Own

/** The view model of a page that this function makes. */
export type LoadedPage<Load extends (...given: never[]) => unknown> = DashboardPage<
  Omit<Awaited<ReturnType<Load>>, keyof LayoutParts | 'version'>
>

type PageName = {
  [Name in keyof Views]: Views[Name] extends Frame & LayoutParts ? Name : never
}[keyof Views]

/** What is left to say of a page: the frame is the same around each. */
export type PageParts<Name extends PageName> = Omit<Views[Name], keyof Frame | 'errors'> & {
  errors?: FormError[]
  version?: FormVersion
}

export type RenderPage = <Name extends PageName>(
  request: FastifyRequest,
  reply: FastifyReply,
  view: Name,
  parts: PageParts<Name>,
) => Promise<unknown>

/** Shows a view inside the dashboard's frame. Errors make it a 422. */
export function createPageRenderer(needs: DashboardNeeds): RenderPage {
  return async (request, reply, view, { errors = [], version, ...parts }) => {
    if (errors.length > 0 && reply.statusCode === 200) reply.code(422)
    if (version && version.conflicts.length > 0) reply.code(409)
    const frame = buildLayout(request, needs, parts.section)
    const pictures = [request.visitor.company.logoUrl, needs.checkoutUrl]
    reply.header('content-security-policy', buildContentPolicy({ pictures }))
    return sendView(reply, view, { ...frame, errors, version: version ?? null, ...parts })
  }
}

function buildLayout(
  { visitor, query, url }: FastifyRequest,
  needs: DashboardNeeds,
  section: LayoutParts['section'],
) {
  const { user, company, csrf } = visitor
  const { feito } = toRecord(query)
  const done: Record<string, string> = doneTexts
  const may = getRights(user.role)
  return {
    asset: needs.asset,
    company: { name: company.name, logoUrl: company.logoUrl },
    user: { email: user.email },
    may,
    csrf,
    environment: {
      testMode: company.testMode,
      /** Where the other environment opens: the list that this page belongs to. */
      back: section === 'conta' ? ACCOUNT_PATH : (findSectionList(may, section)?.href ?? HOME_PATH),
    },
    menu: buildMenu(may, section),
    sectionTabs: buildTabs(url, may, section),
    done: (typeof feito === 'string' && Object.hasOwn(done, feito) && done[feito]) || null,
  }
}
