// A call as a line for the shell, ready to paste.
import { requireFound } from '../database/found.ts'
import { buildExample } from '../http/openapi/example.ts'
import type { HttpMethod, OpenApiDocument, Parameter } from '../http/openapi/types.ts'

type Call = {
  path: string
  method: HttpMethod
  parameters: Parameter[]
  body: unknown
  /** Names of the files that are sent in its place. */
  files?: string[]
}

export function curlOf(
  document: OpenApiDocument,
  { path, method, parameters, body, files = [] }: Call,
) {
  const { schemas } = document.components
  const exampleFor = ({ example, schema }: Parameter) =>
    String(example ?? buildExample(schema, schemas, 'request'))
  const address = parameters
    .filter((one) => one.in === 'path')
    .reduce((made, one) => made.replace(`{${one.name}}`, exampleFor(one)), path)
  const headers = parameters
    .filter((one) => one.in === 'header' && (one.required || method === 'post'))
    .map((one) => `-H '${one.name}: ${exampleFor(one)}'`)
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${requireFound(document.servers[0]).url}${address}`,
    `-H "Authorization: Bearer $KEY"`,
    ...headers,
    ...files.map((name) => `-F '${name}=@foto.jpg'`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${inShell(body)}'`]),
  ].join(' \\\n  ')
}

function inShell(body: unknown) {
  return pretty(body).replaceAll("'", String.raw`'\''`).replaceAll('\n', '\n  ')
}

/** Indented, with short lists on one line. */
export function pretty(value: unknown) {
  return JSON.stringify(value, null, 2).replace(
    /\[\s+([^[\]{}]{1,60}?)\s+\]/g,
    (_, items: string) => {
      return `[${items.replace(/\s*\n\s*/g, ' ')}]`
    },
  )
}
