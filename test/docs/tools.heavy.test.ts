// What tools and agents are given beside the pages.
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { STREAM_PATH } from '../support/api-routes.ts'
import { loadOpenApiDocument } from '../support/document.ts'
import { BASE_URL, openTestApp } from '../support/test-app.ts'

const { app, newCompany } = await openTestApp()
const { document, operations } = await loadOpenApiDocument(app)

type PostmanPair = { key: string; value: string; disabled?: boolean }
type PostmanRequest = {
  method: string
  header: PostmanPair[]
  url: { raw: string; path: string[]; query: PostmanPair[]; variable: PostmanPair[] }
  body?: { mode: string; raw: string }
}
type PostmanFolder = { name: string; item: { name: string; request: PostmanRequest }[] }

const collection = (await app.inject('/api/postman.json')).json()
const folders: PostmanFolder[] = collection.item
const requests = folders.flatMap(({ item }) => item.map(({ request }) => request))

test('each is public, and may be kept for a while', async () => {
  for (const [path, type] of [
    ['/api/openapi.yaml', 'application/yaml; charset=utf-8'],
    ['/api/postman.json', 'application/json; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/api/docs/llms.txt', 'text/plain; charset=utf-8'],
  ]) {
    const { statusCode, headers } = await app.inject(path!)
    expect(statusCode, path).toBe(200)
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'public, max-age=300' })
  }
})

test('the YAML says what the JSON says', async () => {
  const { body } = await app.inject('/api/openapi.yaml')

  expect(parse(body)).toEqual(document)
})

test('the collection is a Postman 2.1 with the key and the address as variables', () => {
  expect(collection).toMatchObject({
    info: {
      name: document.info.title,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: BASE_URL },
      { key: 'key', value: expect.stringContaining('sk_live_') },
    ],
  })
})

test('the collection has every call, in folders as the reference has them', () => {
  const called = requests.map(({ method, url }) => `${method} /${url.path.join('/')}`)
  const documented = operations.map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )

  expect(called.toSorted()).toEqual(documented.toSorted())
  expect(folders.map(({ name }) => name)).toEqual(
    document.tags
      .map(({ name }) => name)
      .filter((name) => operations.some(({ operation }) => operation.tags?.includes(name))),
  )
  for (const { url } of requests) {
    const named = url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
    expect(url.raw).toBe(`{{baseUrl}}/${url.path.join('/')}`)
    expect(url.variable.map(({ key }) => key)).toEqual(named)
    expect(url.variable.every(({ value }) => value !== '')).toBe(true)
  }
})

test('every request of the collection is sent as it stands, and none is malformed', async () => {
  const { key } = await newCompany()
  const refusals: string[] = []

  for (const { method, url, header, body } of requests) {
    // A file is for whoever uses the collection to choose; a stream does not end.
    if (body?.mode === 'formdata' || url.raw.endsWith(STREAM_PATH)) continue
    const path = url.path
      .map((part) => url.variable.find((one) => `:${one.key}` === part)?.value ?? part)
      .join('/')
    const sent = header.filter(({ disabled }) => !disabled)
    const query = url.query.filter(({ disabled }) => !disabled)
    const search = new URLSearchParams(query.map(({ key: name, value }) => [name, value]))
    const answer = await app.inject({
      method: method as 'GET',
      url: `/${path}?${search}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...Object.fromEntries(sent.map(({ key: name, value }) => [name, value])),
      },
      ...(body && { payload: body.raw }),
    })
    if (![200, 201, 202, 204, 404].includes(answer.statusCode))
      refusals.push(`${method} /${path}: ${answer.body}`)
  }

  expect(refusals).toEqual([])
})

test('llms.txt has a title, a summary and links, and each leads somewhere', async () => {
  const { body } = await app.inject('/llms.txt')
  const links = [...body.matchAll(/^- \[[^\]]+\]\((\S+)\): \S/gm)].map(([, href]) => href!)

  expect(body).toMatch(/^# .+\n\n> .+\n\n- /)
  expect(links.length).toBeGreaterThan(15)
  for (const href of links) {
    expect(href).toMatch(new RegExp(`^${BASE_URL}/`))
    expect((await app.inject(href.slice(BASE_URL.length))).statusCode, href).toBe(200)
  }
})

test('no call that llms.txt names is missing from the API', async () => {
  const { body } = await app.inject('/llms.txt')
  const named = [...body.matchAll(/(?:GET|POST) (\/api\/\S+?)(?= with|[.:;]|$)/gm)].map(
    ([, path]) => path!,
  )

  expect(named.length).toBeGreaterThan(2)
  for (const path of named) expect(Object.keys(document.paths)).toContain(path)
})
