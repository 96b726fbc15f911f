// The calls of the guides, typed as they stand there: each does what the page says.
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BASE_URL, MINIMAL_LINK, startTestApp } from '../support/test-app.ts'
import { runTool } from './tools.ts'

const EXAMPLE_ID = '019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17'
const EXAMPLE_SLUG = 'k7Pm3XwQzt'

/** By curl, as its status. */
const TIMED_OUT = 28

const { app, newCompany } = await startTestApp({ local: true, mail: true })
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.addresses()[0] as AddressInfo

async function readCalls() {
  const home = (await app.inject('/api/docs')).body
  const guides = [...home.matchAll(/href="(\/api\/docs\/[^/"#]+)"/g)].map(([, path]) => path!)
  const calls: { path: string; call: string }[] = []
  for (const path of new Set(['/api/docs', ...guides])) {
    const { body } = await app.inject(path)
    for (const [, html] of body.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)) {
      const call = toPlain(html!)
      if (call.startsWith('curl ') && call.includes('/api/')) calls.push({ path, call })
    }
  }
  return calls
}

function toPlain(html: string) {
  const text = html.replaceAll(/<[^>]+>/g, '')
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

test('every call of the guides succeeds', async () => {
  const company = await newCompany()
  // The name in the guide exists nowhere here.
  const url = `http://127.0.0.1:${port}/healthz`
  const endpoint = await company.post('/api/webhook-endpoints', { url })
  const link = await company.post('/api/payment-links', MINIMAL_LINK)
  const { id, slug } = link.json()
  await company.post(`/api/payment-links/${id}/simulate-payment`, {})
  const [event] = (await company.get('/api/events')).json().data
  const folder = mkdtempSync(join(tmpdir(), 'vintem-guides-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const calls = await readCalls()
  const failed: string[] = []

  for (const { path, call } of calls) {
    const line = call
      .replaceAll(BASE_URL, `http://127.0.0.1:${port}`)
      .replace(`events/${EXAMPLE_ID}`, `events/${event.id}`)
      .replace(`webhook-endpoints/${EXAMPLE_ID}`, `webhook-endpoints/${endpoint.json().id}`)
      .replace(EXAMPLE_SLUG, slug)
      .replace('https://loja.com.br/hook', `${url}?2`)
    // What does not end is ended here, and has begun to answer by then.
    const isEndless = call.startsWith('curl -N ')
    const options = `--silent --show-error --fail-with-body ${isEndless ? '--max-time 2' : ''}`
    const typed = `cd ${folder}; ${line} ${options}`
    const { status, output, errors } = await runTool('bash', ['-c', typed], { KEY: company.key })
    const isAnswered = isEndless ? status === TIMED_OUT && output !== '' : status === 0
    if (!isAnswered) failed.push(`${path}: ${call}\n${output}${errors}`)
  }

  expect(failed).toEqual([])
  expect(calls.length).toBeGreaterThan(10)
})
