// What tools and agents are given beside the pages.
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadOpenApiDocument } from '../support/document.ts'
import { BASE_URL, openTestApp } from '../support/test-app.ts'

const { app } = await openTestApp()
const { document } = await loadOpenApiDocument(app)

test('each is public, and may be kept for a while', async () => {
  for (const [path, type] of [
    ['/api/openapi.json', 'application/json; charset=utf-8'],
    ['/api/openapi.yaml', 'application/yaml; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/api/docs/llms.txt', 'text/plain; charset=utf-8'],
    ['/llms-full.txt', 'text/plain; charset=utf-8'],
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

test('llms.txt has a title, a summary and links, and each leads somewhere', async () => {
  const { body } = await app.inject('/llms.txt')
  const links = [...body.matchAll(/^- \[[^\]]+\]\((\S+)\): \S/gm)].map(([, href]) => href!)

  expect(body).toMatch(/^# .+\n\n> .+\n\n- /)
  expect(links.length).toBeGreaterThan(10)
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

test('llms-full.txt has llms.txt and every guide as it is served', async () => {
  const [{ body: full }, { body: short }] = await Promise.all([
    app.inject('/llms-full.txt'),
    app.inject('/llms.txt'),
  ])
  const guides = [...short.matchAll(/\((\S+\.md)\)/g)].map(([, href]) => href!)

  expect(full.startsWith(short)).toBe(true)
  expect(guides.length).toBeGreaterThan(10)
  for (const href of guides) {
    const { body } = await app.inject(href.slice(BASE_URL.length))
    expect(full.includes(body), href).toBe(true)
  }
})
