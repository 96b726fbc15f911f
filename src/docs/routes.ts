// `/api/docs`: guides as pages and as Markdown, and the reference, in which Scalar shows the OpenAPI document.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { requireFound } from '../database/found.ts'
import { type GetAssetUrl, servePackageScript } from '../http/assets.ts'
import { buildContentPolicy, sendPage } from '../http/html.ts'
import { getAdapter, REAL_PROVIDERS } from '../providers/registry.ts'
import { memoizeValue } from '../record.ts'
import {
  DOCS_PATH,
  listGuideGroups,
  readSample,
  renderGuide,
  renderMarkdown,
  writePrograms,
} from './guides.ts'
import type { OpenApiDocument } from './openapi.ts'
import { listProblems } from './problems.ts'

type DocsPage = ReturnType<typeof buildCommonModel> & {
  path: string
}

declare module '../http/html.ts' {
  interface Views {
    'docs/layout': DocsPage & { title: string; wide?: boolean; body: string }
    'docs/home': DocsPage
    'docs/code': { label: string; language: string; code: string }
    'docs/mark': object
    'docs/reference': { asset: GetAssetUrl; script: string }
  }
}

export type DocsNeeds = {
  asset: GetAssetUrl
  baseUrl: string
  checkoutUrl: string
  getDocument: () => OpenApiDocument
}

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

/** The page runs a large library of others. In a sandbox without an origin it cannot read our cookies. */
const POLICY = `${buildContentPolicy({ styled: true })}; sandbox allow-scripts allow-popups`

const PACKAGE_FILE = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
const SCRIPT_LINE = /^var standalone_default = (".*");$/m

/** The name has the version of package.json, so it may be cached for ever. */
export const SCRIPT_NAME = 'scalar-1.72.1.js'

async function referenceRoutes(app: FastifyInstance, { asset }: { asset: GetAssetUrl }) {
  servePackageScript(app, `/${SCRIPT_NAME}`, readScript)
  app.get('/referencia', (_request, reply) => {
    reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'public, max-age=300' })
    return sendPage(reply, 'docs/reference', { asset, script: `${DOCS_PATH}/${SCRIPT_NAME}` })
  })
}

/**
 * Reads the script out of a package that has it as a string in a module, which also imports a parser that we do not
 * need. So the module is read and not run, at the first request for the page.
 */
function readScript() {
  const [, literal] = requireFound(SCRIPT_LINE.exec(readFileSync(PACKAGE_FILE, 'utf8')))
  return Buffer.from(String(runInNewContext(requireFound(literal))))
}
