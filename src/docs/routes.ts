// `/api/docs`: guides, and a reference made of the OpenAPI document.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { type GetAssetUrl, servePackageScript } from '../http/assets/serve.ts'
import { buildContentPolicy, sendPage, type Views } from '../http/html.ts'
import type { OpenApiDocument } from '../http/openapi/document.ts'
import { PIX_API_PRESETS, PRESETS } from '../providers/pix-api/presets.ts'
import { memoizeValue } from '../record.ts'
import { DOCS_PATH, GUIDE_GROUPS, GUIDES } from './guides.ts'
import { renderGuide, renderMarkdown } from './markdown.ts'
import { listProblems } from './problems.ts'
import { readSample, writePrograms } from './samples.ts'
import { readReferenceScript, SCRIPT_NAME } from './scalar.ts'

type Needs = {
  asset: GetAssetUrl
  baseUrl: string
  checkoutUrl: string
  getDocument: () => OpenApiDocument
}

const REFERENCE = `${DOCS_PATH}/referencia`
/** Its page runs the whole of somebody's library: of an origin that is nobody's, it reads nothing of ours. */
const REFERENCE_POLICY = `${buildContentPolicy({ styled: true })}; sandbox allow-scripts allow-popups`
const CACHE = 'public, max-age=300'

type DocsView = 'docs/home' | 'docs/layout' | 'docs/reference'
type OwnParts<Name extends DocsView> = Omit<
  Views[Name],
  keyof ReturnType<typeof buildCommonModel> | 'path'
>

/** For a scope of pages at `/api/docs`. */
export async function docsRoutes(app: FastifyInstance, needs: Needs) {
  const getCommon = memoizeValue(() => buildCommonModel(needs))

  app.get('/', (_request, reply) => send(reply, DOCS_PATH, 'docs/home', {}))

  for (const { slug, title } of GUIDES) {
    const path = `${DOCS_PATH}/${slug}`
    const getText = memoizeValue(() => renderGuide(slug, getCommon()))
    const getHtml = memoizeValue(() => renderMarkdown(getText()))
    app.get(`/${slug}`, (_request, reply) =>
      send(reply, path, 'docs/layout', { title, body: getHtml() }),
    )
    app.get(`/${slug}.md`, (_request, reply) =>
      reply.header('cache-control', CACHE).type('text/markdown; charset=utf-8').send(getText()),
    )
  }

  servePackageScript(app, `/${SCRIPT_NAME}`, readReferenceScript)
  app.get('/referencia', (_request, reply) => {
    reply.header('content-security-policy', REFERENCE_POLICY)
    return send(reply, REFERENCE, 'docs/reference', { script: `${DOCS_PATH}/${SCRIPT_NAME}` })
  })
  // Where each group of operations was a page of its own.
  app.get<{ Params: { slug: string } }>('/referencia/:slug', (request, reply) =>
    reply.redirect(`${REFERENCE}#tag/${encodeURIComponent(request.params.slug)}`, 308),
  )

  function send<Name extends DocsView>(
    reply: FastifyReply,
    path: string,
    view: Name,
    own: OwnParts<Name>,
  ) {
    // What is its own is all but what every page has: TypeScript does not add the two up.
    const model = { ...getCommon(), ...own, path } as Views[Name]
    return sendPage(reply.header('cache-control', CACHE), view, model)
  }
}

/** What every page of the documentation may use. */
export function buildCommonModel({ asset, baseUrl, checkoutUrl, getDocument }: Needs) {
  return {
    asset,
    baseUrl,
    checkoutUrl,
    groups: getDocument().tags.map(({ name, description, 'x-displayName': title }) => ({
      slug: buildTagSlug(name),
      title,
      description,
    })),
    guideGroups: GUIDE_GROUPS,
    problems: listProblems(),
    banks: PIX_API_PRESETS.map((preset) => ({ preset, ...PRESETS[preset] })),
    firstCall: buildFirstCall(baseUrl),
    sample: readSample,
    programs: writePrograms,
  }
}

/** As the reference writes it into its addresses. */
function buildTagSlug(name: string) {
  return name.toLowerCase().replaceAll(' ', '-')
}

function buildFirstCall(baseUrl: string) {
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
