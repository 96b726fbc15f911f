// Builds the OpenAPI document from the schemas that the routes validate and serialise with.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { memoizeValue } from '../../record.ts'
import { API_VERSION, buildHeaders } from './headers.ts'
import { buildOperation, type DocumentedRoute, IDEMPOTENCY_KEY_PARAMETER } from './operation.ts'
import { buildProblemResponses, buildProblemSchemas, type DocumentedProblem } from './problems.ts'
import { writeSchemas } from './schemas.ts'

/** `name` is what generated clients use, `x-displayName` the title that readers see. */
export type Tag = { name: string; 'x-displayName': string; description: string }

/** The parts of the document that no route has. */
export type ApiNotes = {
  description: string
  tags: Tag[]
  problems: DocumentedProblem[]
  webhooks: Record<string, object>
  /** Components that no route has, or that need more than their route says. */
  schemas: Record<string, z.ZodType>
}

export type OpenApiDocument = ReturnType<typeof buildDocument>

const API_INFO = {
  title: 'Vintém Payment Links API',
  version: API_VERSION,
  summary: 'Links de pagamento para o Brasil, pagos por Pix ou cartão numa página pronta.',
  license: { name: 'MIT', identifier: 'MIT' },
}

const API_KEY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'sk_live_…',
  description:
    'Uma chave secreta da sua empresa. Pode ser limitada a escopos: `read`, um recurso como `payment-links`, ou `payment-links:read`; cada operação diz o de que precisa.',
} as const

/** Returns a function that builds the document of the routes registered afterwards. */
export function describeApi(app: FastifyInstance, baseUrl: string, notes: ApiNotes) {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema, config = {} }) => {
    if (method === 'HEAD' || !schema?.operationId) return
    // Fastify's type allows any schema; ours are Zod's.
    const documented = schema as DocumentedRoute['schema']
    routes.push({ method: String(method).toLowerCase(), url, config, schema: documented })
  })
  return memoizeValue(() => buildDocument(routes, baseUrl, notes))
}

function buildDocument(
  routes: DocumentedRoute[],
  baseUrl: string,
  { description, tags, webhooks, problems, schemas: more }: ApiNotes,
) {
  const schemas = {}
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const { response, ...request } = route.schema
    const asked = writeSchemas(pickZod(request), 'input')
    const answered = writeSchemas(response, 'output')
    Object.assign(schemas, asked.$defs, answered.$defs)
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: buildOperation(route, asked, answered) }
  }
  const others = writeSchemas({ ...buildProblemSchemas(problems), ...more }, 'output')
  Object.assign(schemas, others.$defs, others.properties)
  return {
    openapi: '3.1.0',
    info: { ...API_INFO, description, contact: { name: 'Vintém', url: `${baseUrl}/api/docs` } },
    servers: [{ url: baseUrl, description: 'Este serviço.' }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    webhooks,
    components: {
      schemas,
      responses: buildProblemResponses(problems, baseUrl),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY_PARAMETER },
      headers: buildHeaders(),
      securitySchemes: { apiKey: API_KEY_SCHEME },
    },
  }
}

/** Picks the Zod schemas among the params, querystring, headers and body of a route. */
function pickZod(parts: object): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part instanceof z.ZodType))
}
