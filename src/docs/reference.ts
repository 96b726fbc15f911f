// The reference part of the docs: the OpenAPI document, shaped for the page.

import { requireFound } from '../database/found.ts'
import { toRecord } from '../http/fields.ts'
import { buildExample } from '../http/openapi/example.ts'
import {
  type ApiResponse,
  type HttpMethod,
  listOperations,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type RequestBody,
  resolveRef,
} from '../http/openapi/types.ts'
import { curlOf, pretty } from './curl.ts'
import { type Field, fieldOf, fieldsOf } from './fields.ts'

export type Problem = { status: string; code: string; when: string; message: string }

export type Section = {
  id: string
  method: HttpMethod
  path: string
  summary: string
  description: string
  scope: string | undefined
  parameters: { path: Field[]; query: Field[]; header: Field[] }
  body: Field[]
  status: string
  answer: Field[]
  headers: Field[]
  problems: Problem[]
  curl: string | undefined
  requestExample: string | undefined
  answerExample: string | undefined
}

export type Group = { slug: string; name: string; description: string; sections: Section[] }

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

/** One group per tag, in the order of the document; webhooks are a group like any other. */
export function groupsOf(document: OpenApiDocument): Group[] {
  const calls = listOperations(document).map((call) => ({ ...call, calls: true }))
  const events = listOperations({ paths: document.webhooks }).map((event) => ({
    ...event,
    calls: false,
  }))
  return document.tags.map(({ name, description }) => ({
    slug: name.toLowerCase().replaceAll(' ', '-'),
    name,
    description,
    sections: [...calls, ...events]
      .filter(({ operation }) => operation.tags?.includes(name))
      .map((call) => sectionOf(document, call)),
  }))
}

type Call = { path: string; method: HttpMethod; operation: Operation; calls: boolean }

function sectionOf(document: OpenApiDocument, { path, method, operation, calls }: Call): Section {
  const parameters = (operation.parameters ?? []).map((one) => resolveRef<Parameter>(document, one))
  const within = (place: string) =>
    parameters.filter((one) => one.in === place).map((one) => parameterField(document, one))
  const { [JSON_TYPE]: json, [FORM_TYPE]: form } = operation.requestBody?.content ?? {}
  const body = json ?? form
  const [status, answer] = successOf(document, operation)
  const media = answer.content?.[JSON_TYPE]
  const [description = ''] = (operation.description ?? '').split('\n\n')
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    description,
    scope: operation['x-scope'],
    parameters: { path: within('path'), query: within('query'), header: within('header') },
    body: body ? fieldsOf(document, body.schema) : [],
    status,
    answer: media ? fieldsOf(document, media.schema) : [],
    headers: headersOf(document, answer),
    problems: problemsOf(document, operation),
    curl: calls
      ? curlOf(document, {
          path,
          method,
          parameters,
          body: bodyOf(document, operation.requestBody),
          files: listFiles(document, form),
        })
      : undefined,
    requestExample: calls ? undefined : shown(body && exampleIn(document, body)),
    answerExample: shown(media && exampleIn(document, media)),
  }
}

function listFiles(document: OpenApiDocument, form: MediaType | undefined) {
  return form ? fieldsOf(document, form.schema).map(({ name }) => name) : []
}

function parameterField(
  document: OpenApiDocument,
  { name, required, description, schema }: Parameter,
) {
  const described = description === undefined ? schema : { ...schema, description }
  return fieldOf(document, { name, required: required ?? false, schema: described })
}

function successOf(document: OpenApiDocument, { responses }: Operation): [string, ApiResponse] {
  const [status, answer] = requireFound(
    Object.entries(responses).find(([code]) => code.startsWith('2')),
  )
  return [status, resolveRef<ApiResponse>(document, answer)]
}

function headersOf(document: OpenApiDocument, { headers = {} }: ApiResponse) {
  return Object.entries(headers)
    .filter(([name]) => name === 'Location' || name === 'Idempotent-Replayed')
    .map(([name, ref]) => {
      const {
        schema,
        description,
        required = false,
      } = resolveRef<OpenApiDocument['components']['headers'][string]>(document, ref)
      return fieldOf(document, { name, required, schema: { ...schema, description } })
    })
}

function problemsOf(document: OpenApiDocument, { responses }: Operation): Problem[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, answer]) => {
      const { content = {} } = resolveRef<ApiResponse>(document, answer)
      return Object.entries(content[JSON_TYPE]?.examples ?? {}).map(
        ([code, { summary = '', value }]) => ({
          status,
          code,
          when: summary,
          message: String(toRecord(value).message),
        }),
      )
    })
}

function bodyOf(document: OpenApiDocument, body: RequestBody | undefined) {
  const media = body?.content[JSON_TYPE]
  return media && exampleIn(document, media)
}

function exampleIn({ components }: OpenApiDocument, { example, examples, schema }: MediaType) {
  const [first] = Object.values(examples ?? {})
  return example ?? first?.value ?? buildExample(schema, components.schemas, 'answer')
}

function shown(example: unknown) {
  return example === undefined ? undefined : pretty(example)
}
