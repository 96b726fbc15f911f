// `/api/docs`: guides, and a reference made of the OpenAPI document.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type GetAssetUrl, servePackageScript } from '../http/assets/serve.ts'
import { buildContentPolicy, sendPage } from '../http/html.ts'
import type { OpenApiDocument } from '../http/openapi/document.ts'
import { getAdapter, REAL_PROVIDERS } from '../providers/registry.ts'
import { memoizeValue } from '../record.ts'
import { DOCS_PATH, GUIDE_GROUPS, GUIDES } from './guides.ts'
import { renderGuide, renderMarkdown } from './markdown.ts'
import { listProblems } from './problems.ts'
import { readSample, writePrograms } from './samples.ts'
import { readReferenceScript, SCRIPT_NAME } from './scalar.ts'

type DocsPage = ReturnType<typeof buildCommonModel> & {
  /** Where the page is. */
  path: string
}

declare module '../http/html.ts' {
  interface Views {
    'docs/layout': DocsPage & { title: string; wide?: boolean; body: string }
    'docs/home': DocsPage
    'docs/reference': { asset: GetAssetUrl; script: string }
    'docs/code': { label: string; language: string; code: string }
    'docs/mark': object
  }
}

type Needs = {
  asset: GetAssetUrl
  baseUrl: string
  checkoutUrl: string
  getDocument: () => OpenApiDocument
}

/** Its page runs the whole of somebody's library: of an origin that is nobody's, it reads nothing of ours. */
const REFERENCE_POLICY = `${buildContentPolicy({ styled: true })}; sandbox allow-scripts allow-popups`

/** For a scope of pages at `/api/docs`. */
export async function docsRoutes(app: FastifyInstance, needs: Needs) {
  const getCommon = memoizeValue(() => buildCommonModel(needs))

  app.get('/', (_request, reply) =>
    sendPage(allowCaching(reply), 'docs/home', { ...getCommon(), path: DOCS_PATH }),
  )

  for (const { slug, title } of GUIDES) {
    const getText = memoizeValue(() => renderGuide(slug, getCommon()))
    const getBody = memoizeValue(() => renderMarkdown(getText()))
    app.get(`/${slug}`, (_request, reply) => {
      const own = { path: `${DOCS_PATH}/${slug}`, title, body: getBody() }
      return sendPage(allowCaching(reply), 'docs/layout', { ...getCommon(), ...own })
    })
    app.get(`/${slug}.md`, (_request, reply) =>
      allowCaching(reply).type('text/markdown; charset=utf-8').send(getText()),
    )
  }

  servePackageScript(app, `/${SCRIPT_NAME}`, readReferenceScript)
  app.get('/referencia', (_request, reply) => {
    allowCaching(reply).header('content-security-policy', REFERENCE_POLICY)
    const { asset } = needs
    return sendPage(reply, 'docs/reference', { asset, script: `${DOCS_PATH}/${SCRIPT_NAME}` })
  })
}

function allowCaching(reply: FastifyReply) {
  return reply.header('cache-control', 'public, max-age=300')
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
    banks: REAL_PROVIDERS.flatMap((provider) =>
      Object.entries(getAdapter(provider).banks ?? {}).map(([preset, bank]) => ({
        preset,
        ...bank,
      })),
    ),
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
