// The query parameters that all lists of the API share: `metadata[key]=value`, lists in every common notation, and a
// cursor that is valid only for its list and filters.
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRecord, toRecord } from '../http/fields.ts'

/** Excludes `__proto__`, which Zod drops from records: the filter would be ignored. */
const METADATA_PARAMETER = /^metadata\[(?!__proto__\]$)(.+)\]$/
/** Matches `name[0]` except in metadata, where keys may be numbers. */
const LIST_PARAMETER = /^(?!metadata\[)(\w+)\[\d{0,3}\]$/
const CHECKSUM_LENGTH = 12
/** A position that no list accepts, so that it is reported together with the query's other errors. */
const INVALID_POSITION = ''

/** Registers hooks in a scope of lists: before queries are validated, and before answers are written. */
export function readListQueries(app: FastifyInstance) {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.method !== 'GET') return done()
    const query = joinListNames(toRecord(request.query))
    const { cursor } = query
    request.query = collectMetadata({
      ...query,
      ...(typeof cursor === 'string' && { cursor: openCursor(request, cursor) }),
    })
    done()
  })

  app.addHook('preSerialization', (request, _reply, payload, done) => {
    if (!isRecord(payload) || typeof payload.nextCursor !== 'string') return done(null, payload)
    const nextCursor = bindCursor(request.url, payload.nextCursor)
    done(null, { ...payload, nextCursor })
  })
}

/** Turns `tag[]=a` and `tag[0]=a`, which many clients send, into `tag=a`. */
function joinListNames(query: Record<string, unknown>) {
  const names = Object.keys(query)
  if (!names.some((name) => LIST_PARAMETER.test(name))) return query
  const values = Map.groupBy(names, toListName)
  return Object.fromEntries(
    [...values].map(([name, written]) => {
      const all = written.flatMap((one) => query[one])
      return [name, all.length === 1 ? all[0] : all]
    }),
  )
}

function toListName(name: string) {
  return LIST_PARAMETER.exec(name)?.[1] ?? name
}

function collectMetadata(query: Record<string, unknown>) {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
    const key = METADATA_PARAMETER.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  if (pairs.length === 0) return query
  const others = Object.entries(query).filter(([name]) => !METADATA_PARAMETER.test(name))
  // A plain `metadata=` beside the pairs is kept, so that validation refuses it.
  return { metadata: Object.fromEntries(pairs), ...Object.fromEntries(others) }
}

function openCursor(request: FastifyRequest, cursor: string) {
  const [position = ''] = cursor.split('.')
  return cursor === bindCursor(request.url, position) ? position : INVALID_POSITION
}

export function bindCursor(url: string, position: string) {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const list = decodeURIComponent(pathname).replace(/\/+$/, '')
  const filters = [...searchParams]
    .map(([name, value]) => [toListName(name), value])
    .filter(([name]) => name !== 'cursor' && name !== 'limit')
  const parts = [list, ...filters.map(String).sort(), position]
  return `${position}.${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, CHECKSUM_LENGTH)}`
}
