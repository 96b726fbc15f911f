// `/api/docs`: guides, and a reference made of the OpenAPI document. Nothing on these pages changes
// while the program runs, so each is rendered once.

import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { GetAssetUrl } from '../http/assets/serve.ts'
import { notFoundError } from '../http/errors.ts'
import type { Views } from '../http/html.ts'
import { getOpenApiDocument } from '../http/openapi/document.ts'
import type { OpenApiDocument } from '../http/openapi/types.ts'
import { PIX_API_PRESETS, PRESETS } from '../providers/pix-api/presets.ts'
import { formatFieldLimits, formatFieldType } from './field-texts.ts'
import { DOCS_PATH, findGuide, GUIDE_GROUPS } from './guides.ts'
import { highlight, inline } from './prose.ts'
import { type Group, groupsOf, type Problem } from './reference.ts'
import { readSample, readSamples } from './samples.ts'

type Needs = { asset: GetAssetUrl; baseUrl: string; checkoutUrl: string }

const FOLDER = new URL('../../views/docs/', import.meta.url)
const CACHE = 'public, max-age=300'

type DocsView = Extract<keyof Views, 'docs/home' | 'docs/reference' | `docs/guides/${string}`>
type OwnParts<Name extends DocsView> = Omit<Views[Name], keyof ReturnType<typeof commonOf> | 'path'>

/** For a scope of pages at `/api/docs`. */
export async function docsRoutes(app: FastifyInstance, needs: Needs) {
  const rendered = new Map<string, Promise<string>>()
  let common: ReturnType<typeof commonOf> | undefined

  app.get('/', (_request, reply) => send(reply, DOCS_PATH, 'docs/home', {}))

  app.get<{ Params: { guide: string } }>('/:guide', (request, reply) => {
    const guide = findGuide(request.params.guide)
    if (!guide) throw notFoundError()
    return send(reply, `${DOCS_PATH}/${guide.slug}`, `docs/guides/${guide.view}`, {})
  })

  app.get<{ Params: { slug: string } }>('/referencia/:slug', (request, reply) => {
    const group = shared().groups.find(({ slug }) => slug === request.params.slug)
    if (!group) throw notFoundError()
    return send(reply, `${DOCS_PATH}/referencia/${group.slug}`, 'docs/reference', { group })
  })

  function shared() {
    common ??= commonOf(getOpenApiDocument(app), needs)
    return common
  }

  async function send<Name extends DocsView>(
    reply: { type(type: string): { header(name: string, value: string): unknown } },
    path: string,
    view: Name,
    own: OwnParts<Name>,
  ) {
    const html = rendered.get(path) ?? app.view(view, { ...shared(), ...own, path })
    rendered.set(path, html)
    reply.type('text/html; charset=utf-8').header('cache-control', CACHE)
    return html
  }
}

/** What every page of the documentation may use. */
export function commonOf(document: OpenApiDocument, { asset, baseUrl, checkoutUrl }: Needs) {
  const words: Record<string, string> = JSON.parse(read('portuguese.json'))
  const groups = groupsOf(document)
  return {
    asset,
    baseUrl,
    checkoutUrl,
    groups,
    guideGroups: GUIDE_GROUPS,
    problems: allProblems(groups),
    banks: PIX_API_PRESETS.map((preset) => ({ preset, ...PRESETS[preset] })),
    firstCall: firstCall(baseUrl),
    highlight,
    formatFieldType,
    formatFieldLimits,
    sample: readSample,
    samples: readSamples,
    /** A sentence of the document in Portuguese, as plain text. */
    plain: (sentence: string) => words[sentence] ?? sentence,
    /** The same as HTML; one without a translation says that it is English. */
    say: (sentence: string) => {
      const known = words[sentence]
      return known ? inline(known) : `<span lang="en">${inline(sentence)}</span>`
    },
  }
}

function read(file: string) {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}

/** Each once, by status. */
function allProblems(groups: Group[]): Problem[] {
  const all = groups.flatMap(({ sections }) => sections).flatMap(({ problems }) => problems)
  const byCode = new Map(all.map((problem) => [problem.status + problem.code, problem]))
  return [...byCode.values()].sort((a, b) => Number(a.status) - Number(b.status))
}

function firstCall(baseUrl: string) {
  return `curl ${baseUrl}/api/payment-links \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "title": "Bolo de cenoura",
    "priceMode": "fixed",
    "amountCents": 1990,
    "methods": ["pix", "credit_card"],
    "maxInstallments": 3
  }'`
}
