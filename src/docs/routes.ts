// `/api/docs`: guides as pages and as Markdown, and the reference.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { GetAssetUrl } from '../http/assets/serve.ts'
import { sendPage } from '../http/html.ts'
import type { OpenApiDocument } from '../http/openapi/document.ts'
import { getAdapter, REAL_PROVIDERS } from '../providers/registry.ts'
import { memoizeValue } from '../record.ts'
import { DOCS_PATH, listGuideGroups } from './guides.ts'
import { readSample, renderGuide, renderMarkdown, writePrograms } from './markdown.ts'
import { listProblems } from './problems.ts'
import { referenceRoutes } from './reference.ts'

type DocsPage = ReturnType<typeof buildCommonModel> & {
  /** The address of the page. */
  path: string
}

declare module '../http/html.ts' {
  interface Views {
    'docs/layout': DocsPage & { title: string; wide?: boolean; body: string }
    'docs/home': DocsPage
    'docs/code': { label: string; language: string; code: string }
    'docs/mark': object
  }
}

export type DocsNeeds = {
  asset: GetAssetUrl
  baseUrl: string
  checkoutUrl: string
  getDocument: () => OpenApiDocument
}

/** For a scope of pages at `/api/docs`. */
export async function docsRoutes(app: FastifyInstance, needs: DocsNeeds) {
  const getCommon = memoizeValue(() => buildCommonModel(needs))

  app.get('/', (_request, reply) =>
    sendPage(allowCaching(reply), 'docs/home', { ...getCommon(), path: DOCS_PATH }),
  )

  for (const { slug, title } of listGuideGroups().flatMap(({ guides }) => guides)) {
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

  await referenceRoutes(app, needs)
}

function allowCaching(reply: FastifyReply) {
  return reply.header('cache-control', 'public, max-age=300')
}

/** Builds the values that every page of the documentation may use. */
export function buildCommonModel({ asset, baseUrl, checkoutUrl, getDocument }: DocsNeeds) {
  return {
    asset,
    baseUrl,
    checkoutUrl,
    groups: getDocument().tags.map(({ name, description, 'x-displayName': title }) => ({
      slug: buildTagSlug(name),
      title,
      description,
    })),
    guideGroups: listGuideGroups(),
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

/** The form in which the reference writes a tag in its addresses. */
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
