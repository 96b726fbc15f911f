// The API as a Postman collection (v2.1), made of the OpenAPI document: a folder for each tag, the key
// and the address as variables, an example in each body.
import { requireFound } from '../database/found.ts'
import {
  listOperations,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolveRef,
  type Schema,
} from '../http/openapi/types.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const JSON_TYPE = 'application/json'

type Call = ReturnType<typeof listOperations>[number]

export function buildPostmanCollection(document: OpenApiDocument) {
  const calls = listOperations(document)
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description,
    item: calls
      .filter(({ operation }) => operation.tags?.includes(name))
      .map((call) => ({ name: call.operation.summary, request: buildCallRequest(document, call) })),
  }))
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: requireFound(document.servers[0]).url },
      { key: 'key', value: 'sk_live_test…' },
    ],
    // What is sent to a company is no call of its own.
    item: folders.filter(({ item }) => item.length > 0),
  }
}

function buildCallRequest(document: OpenApiDocument, { path, method, operation }: Call) {
  const parameters = (operation.parameters ?? []).map((one) => resolveRef<Parameter>(document, one))
  const within = (place: Parameter['in']) => parameters.filter((one) => one.in === place)
  const toPair = (one: Parameter) => ({
    key: one.style === 'deepObject' ? `${one.name}[key]` : one.name,
    value: one.name === 'Idempotency-Key' ? '{{$guid}}' : toText(exampleOf(document, one)),
    ...(one.description && { description: one.description }),
  })
  const optional = (one: Parameter) => ({ ...toPair(one), disabled: !one.required })
  const body = buildCallBody(document, operation)
  const headers = within('header').map(optional)
  const postmanPath = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    method: method.toUpperCase(),
    description: operation.description ?? operation.summary,
    header:
      body?.mode === 'raw' ? [{ key: 'Content-Type', value: JSON_TYPE }, ...headers] : headers,
    url: {
      raw: `{{baseUrl}}/${postmanPath}`,
      host: ['{{baseUrl}}'],
      path: postmanPath.split('/'),
      query: within('query').map(optional),
      variable: within('path').map(toPair),
    },
    ...(body && { body }),
  }
}

function buildCallBody(document: OpenApiDocument, { requestBody }: Operation) {
  if (!requestBody) return undefined
  const media = requestBody.content[JSON_TYPE]
  if (media) {
    const raw = JSON.stringify(exampleOf(document, media) ?? {}, null, 2)
    return { mode: 'raw', raw, options: { raw: { language: 'json' } } } as const
  }
  // The only other one is a form with a file, which Postman asks for.
  const form = requireFound(requestBody.content['multipart/form-data'])
  const fields = Object.keys(resolveRef<Schema>(document, form.schema).properties ?? {})
  return {
    mode: 'formdata',
    formdata: fields.map((key) => ({ key, type: 'file', src: [] })),
  } as const
}

function exampleOf(document: OpenApiDocument, { example, schema }: MediaType | Parameter) {
  const { examples = [] } = resolveRef<Schema>(document, refOf(schema))
  return example ?? examples[0]
}

function toText(value: unknown) {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function refOf(schema: Schema): Schema {
  return schema.anyOf?.[0] ?? schema
}
