// The docs as a developer's browser gets them.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { signWebhook } from '../../src/webhooks/signature.ts'
import { loadOpenApiDocument } from '../support/document.ts'
import { findHtmlFaults } from '../support/html-faults.ts'
import { openTestApp } from '../support/test-app.ts'

const { app, newCompany } = await openTestApp()
const { document } = await loadOpenApiDocument(app)
const HOME = '/api/docs'
const REFERENCE = `${HOME}/referencia`

const home = await app.inject(HOME)
const paths = [...new Set(linksOf(home.body).map((href) => href.split('#')[0]!))].filter(
  (href) => href.startsWith(HOME) && href !== HOME,
)
const pages = new Map<string, Awaited<ReturnType<typeof app.inject>>>([[HOME, home]])
for (const path of paths) pages.set(path, await app.inject(path))

function linksOf(html: string) {
  return [...html.matchAll(/\shref="([^"]+)"/g)].map(([, href]) => href!)
}

const read = (path: string) => pages.get(`${HOME}${path}`)!.body

test('there is a guide for each thing that an integration meets, and one reference', () => {
  const guides =
    'comecar enviar webhooks paginacao conciliacao reembolsos idempotencia erros cartoes-de-teste producao mudancas ' +
    'recebimentos pci acompanhar'

  expect(paths.toSorted()).toEqual(
    ['referencia', ...guides.split(' ')].map((page) => `${HOME}/${page}`).toSorted(),
  )
})

test('every page is public HTML under the strict policy of all our pages', () => {
  for (const [path, { statusCode, headers }] of pages) {
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style/,
    )
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
    // Its program writes its own styles, and nothing else.
    const unsafe = path === REFERENCE ? "style-src 'self' 'unsafe-inline'" : undefined
    expect(/[\w-]+ [^;]*unsafe[^;]*/.exec(String(headers['content-security-policy']))?.[0]).toBe(
      unsafe,
    )
  }
})

test('every page is valid HTML that everybody can use, and nothing comes from elsewhere', () => {
  for (const [path, { body }] of pages) {
    expect(findHtmlFaults(path, body)).toEqual([])
    expect(body).not.toMatch(
      /<script(?! (?:type="module" )?src="\/(?:assets|api\/docs)\/)|<style|\sstyle="|\son\w+="/,
    )
    expect(body).not.toMatch(/(?:src|<link[^>]+href)="(?!\/|data:)/)
  }
})

test('every link leads somewhere, down to the heading', async () => {
  const links = [...pages].flatMap(([path, { body }]) =>
    linksOf(body).map((href) => (href.startsWith('#') ? path + href : href)),
  )
  const ours = [...new Set(links)].filter((href) => href.startsWith('/'))

  const found = await Promise.all(ours.map(isFound))

  expect(ours.length).toBeGreaterThan(30)
  expect(ours.filter((_, i) => !found[i])).toEqual([])
})

/** As the reference writes them. */
const TAGS = document.tags.map(({ name }) => `tag/${name.toLowerCase().replaceAll(' ', '-')}`)

async function isFound(href: string) {
  const [address, anchor] = href.split('#')
  const { statusCode, body } = pages.get(address!) ?? (await app.inject(address!))
  const isThere =
    address === REFERENCE ? TAGS.includes(anchor ?? '') : body.includes(`id="${anchor}"`)
  return statusCode === 200 && (!anchor || isThere)
}

test('the program of the reference comes from us, under an address that has its version', async () => {
  const [, src] = /<script src="([^"]+scalar[^"]+)" defer>/.exec(read('/referencia'))!

  const { headers, rawPayload } = await app.inject(src!)

  expect(src).toContain(manifest.dependencies['@scalar/fastify-api-reference'])
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(rawPayload.includes('createApiReference')).toBe(true)
})

test.each([
  ['GET', '/api/customers/%FF'],
  ['OPTIONS', '/api/customers'],
] as const)('what %s %s is refused with is in the guide of errors', async (method, url) => {
  const { key } = await newCompany()
  const headers = { authorization: `Bearer ${key}` }

  const { code } = (await app.inject({ method, url, headers })).json()

  expect(read('/erros')).toContain(`<code>${code}</code>`)
  expect(read('/erros')).toContain(`id="${code}"`)
})

test('requests of the guides that differ have different Idempotency-Keys', () => {
  const fields = new Map<string, string>()
  const fieldNames =
    /\b(?:title|priceMode|amountCents|methods|maxInstallments|externalReference)\b/g

  for (const { body } of pages.values()) {
    for (const [, html] of body.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)) {
      const code = html!.replaceAll(/<[^>]+>/g, '')
      const [, key] = /(?:idempotency-key\W+|repetir\.\w+ )(pedido-\w+)/i.exec(code) ?? []
      if (!key) continue
      const sent = [...new Set(code.match(fieldNames))].sort().join()
      expect(fields.get(key) ?? sent, key).toBe(sent)
      fields.set(key, sent)
    }
  }

  expect(fields.size).toBe(3)
})

test('code is escaped, and each guide is Markdown too, as it is in the page', async () => {
  const php = /data-language="php".*?<code>(.*?)<\/code>/s.exec(read('/webhooks'))![1]!
  expect(php).toMatch(/^&lt;\?php\n/)

  for (const path of pages.keys()) {
    if (path === HOME || path === REFERENCE) continue
    const { body, headers } = await app.inject(`${path}.md`)
    const [, title] = /^# (.+)\n\n\S/.exec(body)!
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(pages.get(path)!.body).toContain(`>${title}</h1>`)
    expect(body).not.toMatch(/<%|\bundefined\b|\[object /)
  }
})

test('the example of the guide is signed as ours are', () => {
  const page = read('/webhooks')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
  const example = /segredo: (\S+)\nwebhook-id: (\S+)\nwebhook-timestamp: (\d+)\ncorpo: (.*)\n/
  const [, secret, id, timestamp, body] = example.exec(page)!

  const headers = signWebhook([secret!], id!, new Date(Number(timestamp) * 1000), body!)

  expect(page).toContain(`${body}\nwebhook-signature: ${headers['webhook-signature']}\n`)
})

test('the guide says where the secret of returns is, and its example is signed with it as text', () => {
  const page = read('/webhooks').replaceAll(/<[^>]+>/g, '')
  const example = /segredo: ([0-9a-f]{64})\nassinado: (\S+)\nsig: (\S+)\n/
  const [, secret = '', signed = '', sig] = example.exec(page) ?? []

  expect(page).toContain('Trocar o segredo dos retornos')
  expect(sig).toBe(createHmac('sha256', secret).update(signed).digest('hex'))
})

test('what is not there is a page that says so, and nothing can be sent', async () => {
  for (const path of ['/nada', '/referencia/nada/nada', '/constructor', '/a/b/c']) {
    const { statusCode, headers } = await app.inject(HOME + path)
    expect(statusCode).toBe(404)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
  }
  expect((await app.inject({ method: 'POST', url: HOME })).statusCode).toBe(405)
})

test('the short address leads to the documentation', async () => {
  const response = await app.inject('/docs')

  expect(response.statusCode).toBe(302)
  expect(response.headers.location).toBe('/api/docs')
})
