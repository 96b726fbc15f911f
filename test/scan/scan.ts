// npm run scan: wapiti, sqlmap and slowhttptest on a running service, on every public form and on the API. Prints
// what they find, and fails on it; so does an error of ours meanwhile. `.ci/scan` installs the tools.
import { listRequests, type ScannedRequest, SET_UP_REQUESTS } from './requests.ts'
import { startTarget, type Target } from './target.ts'
import { runSlowHttp, runSqlmap, runWapiti } from './tools.ts'

const findings: string[] = []
const target = await startTarget()
try {
  await scanTarget(target)
} finally {
  await target.stop()
}
findings.push(...target.lines.filter((line) => /"level":"(error|fatal)"/.test(line)))
print(findings.length === 0 ? 'Nothing was found.' : findings.join('\n'))
process.exitCode = findings.length === 0 ? 0 : 1

async function scanTarget({ baseUrl, directUrl, createLink, createOwner }: Target) {
  await step('wapiti: set-up', () => runWapiti(baseUrl, ['/configurar']))
  await scanBySqlmap(baseUrl, SET_UP_REQUESTS)
  const sessionCookie = await createOwner('ana@exemplo.com.br', 'pão de queijo quente')
  const link = await createLink()
  const form = `/pagar/${link.slug}`

  await step('wapiti: checkout, dashboard, documentation', () =>
    runWapiti(baseUrl, [form, `${form}/report`, '/painel/entrar', '/painel/senha', '/api/docs']),
  )
  await scanBySqlmap(baseUrl, listRequests(link, sessionCookie))
  await step('slowhttptest: headers', () => runSlowHttp(directUrl, form, 'headers'))
  for (const path of [`${form}/payments`, '/painel/entrar', '/api/payment-links']) {
    await step(`slowhttptest: body ${path}`, () => runSlowHttp(directUrl, path, 'body'))
  }
  await step('slowhttptest: reading', () => runSlowHttp(directUrl, '/api/openapi.json', 'reading'))
}

async function scanBySqlmap(baseUrl: string, requests: readonly ScannedRequest[]) {
  for (const one of requests) {
    const method = one.body === undefined ? 'GET' : 'POST'
    await step(`sqlmap: ${method} ${one.path}`, () => runSqlmap(baseUrl, one))
  }
}

async function step(name: string, run: () => Promise<string[]>) {
  const start = performance.now()
  const found = await run()
  findings.push(...found)
  const seconds = Math.round((performance.now() - start) / 1_000)
  const result = found.length === 0 ? 'nothing' : `${found.length} found`
  print(`${name}: ${result}, ${seconds} s (${target.takeAnswers()})`)
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}
