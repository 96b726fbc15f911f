// Documents for tools and agents, without a key: the OpenAPI document as JSON and YAML, llms.txt and llms-full.txt.
// They do not change while the program runs, so each is written once. `/llms.txt` (llmstxt.org) is what an agent needs
// before its first call, with links to the rest; `/llms-full.txt` also has the guides.
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { memoizeValue } from '../record.ts'
import { DOCS_PATH, type Guide, listGuideGroups, renderGuide } from './guides.ts'
import type { OpenApiDocument } from './openapi.ts'
import { buildCommonModel, type DocsNeeds } from './routes.ts'

const CACHE = 'public, max-age=300'

export async function toolRoutes(app: FastifyInstance, needs: DocsNeeds) {
  const { baseUrl, getDocument } = needs
  serveOnce('/api/openapi.json', 'application/json', () => JSON.stringify(getDocument()))
  serveOnce('/api/openapi.yaml', 'application/yaml', () =>
    stringify(getDocument(), { aliasDuplicateObjects: false }),
  )
  for (const path of ['/llms.txt', `${DOCS_PATH}/llms.txt`])
    serveOnce(path, 'text/plain', () => writeLlmsText(getDocument(), baseUrl))
  serveOnce('/llms-full.txt', 'text/plain', () =>
    writeLlmsFullText(getDocument(), baseUrl, buildCommonModel(needs)),
  )

  function serveOnce(path: string, type: string, write: () => string) {
    const getWritten = memoizeValue(write)
    app.get(path, (_request, reply) => {
      reply.type(`${type}; charset=utf-8`).header('cache-control', CACHE)
      // The page of the reference loads the document from a sandbox without an origin.
      return reply.header('access-control-allow-origin', '*').send(getWritten())
    })
  }
}

function writeLlmsText({ info, tags }: OpenApiDocument, baseUrl: string) {
  const guides = listGuideGroups().map(
    ({ title, guides: some }) =>
      `## Guides: ${title}\n\n${some.map((guide) => linkTo(guide, baseUrl)).join('\n')}`,
  )
  return `# ${info.title}

> Payment links for Brazil. One call creates a link, its hosted checkout takes Pix or a card in up to 12 installments, and a signed webhook tells that it was paid. Guides are in Portuguese, with programs for a shell, Node, Python and PHP.

- Base address: ${baseUrl}. Every path begins with /api; there is no version segment.
- Authentication: \`Authorization: Bearer <key>\`. Keys begin with \`sk_live_\`; those of the test environment begin with \`sk_live_test\`, and no money moves there. A key belongs on a server, never in a browser or an app.
- Money is an integer in cents: R$ 19,90 is 1990; a link asks for 1000 to 20000000. Instants are ISO 8601, answered in UTC.
- To create a link: POST /api/payment-links with \`title\`, \`amountCents\` and \`methods\` (\`pix\`, \`credit_card\`). Share \`url\` of the answer. Unknown fields are refused (422 \`unknown_field\`), and so is what only answers have (\`read_only\`), but in an answer sent back.
- To pay it in the test environment: POST /api/payment-links/{idOrSlug}/simulate-payment.
- The proof of payment is the webhook \`transaction.approved\` (Standard Webhooks 1.0), not the return of the browser. Verify the signature over the body as it came; do nothing twice for one \`webhook-id\`.
- Card numbers never pass through the API: the payer types them on the hosted checkout. A body that holds one is refused.
- Send \`Idempotency-Key\` with every POST and PATCH; refunds require it. Repeat only after 429, 5xx or a lost connection, with the same key, waiting for \`Retry-After\` where it is given.
- Limit: 100 requests in any 60 seconds and key.
- Refusals are \`{"status":"error","message","code","type","errors":[{"field","code","message"}]}\`; compare \`code\`, never \`message\`; \`type\` is the address of the paragraph about it. 401 and 429 have \`status\` and \`message\` alone.
- Lists: \`limit\` (1–100) and \`cursor\` (\`nextCursor\` of the page before, with the same filters) while \`hasMore\`.
- A day is reconciled by \`approvedFrom\` and \`approvedTo\` of GET /api/transactions; what changed since by \`updatedFrom\`. A month's books, movement by movement: GET /api/reports/closing with \`month=2026-10\`.

## Reference

- [OpenAPI 3.1, JSON](${baseUrl}/api/openapi.json): every call, field and refusal: ${tags.map(({ name }) => name).join(', ')}
- [OpenAPI 3.1, YAML](${baseUrl}/api/openapi.yaml): the same
- [All guides](${baseUrl}/llms-full.txt): this text and every guide, in one file

${guides.join('\n\n')}
`
}

function writeLlmsFullText(document: OpenApiDocument, baseUrl: string, model: object) {
  const guides = listGuideGroups().flatMap((group) => group.guides)
  const parts = guides.map(({ slug }) => renderGuide(slug, model))
  return [writeLlmsText(document, baseUrl), ...parts].join('\n---\n\n')
}

function linkTo({ slug, title, about }: Guide, baseUrl: string) {
  return `- [${title}](${baseUrl}${DOCS_PATH}/${slug}.md): ${about}`
}
