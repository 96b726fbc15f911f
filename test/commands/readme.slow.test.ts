// What the README tells people to type, typed.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { EVENT_TYPES } from '../../src/database/enums.ts'
import { saveServiceFacts } from '../../src/database/open.ts'
import { buildSampleData } from '../../src/transactions/simulation/sample-event.ts'
import { newWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts'
import { reservePort } from '../support/port.ts'
import { MINIMAL_LINK, startTestApp } from '../support/test-app.ts'

const ROOT = join(import.meta.dirname, '../..')
const ALL_BLOCKS = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```(\w*)\n([\s\S]*?)```/g),
].map(([, language = '', block = '']) => ({ language, block: block.trim() }))
const blocksOf = (language: string) =>
  ALL_BLOCKS.filter((one) => one.language === language).map(({ block }) => block)
const BLOCKS = blocksOf('sh')
/** They go on until they are stopped, need a bank, or install what is here already. */
const NOT_TYPED =
  /^(npm ci|docker compose|export SECRET_KEY)|cli -- (listen|provider) |> banco\.json$/

const testApp = await startTestApp()
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.addresses()[0] as AddressInfo

/** As a shell does that stops at the first failure. */
async function typeLines(script: string) {
  const env = {
    ...process.env,
    DATABASE_URL: testApp.url,
    SECRET_KEY: testApp.secretKey,
    BASE_URL: '',
    PORT: '',
  }
  return new Promise<{ failed: boolean; output: string }>((resolve) => {
    execFile('sh', ['-e', '-c', script], { cwd: ROOT, env }, (error, output, errors) =>
      resolve({ failed: error !== null, output: output + errors }),
    )
  })
}

test('the first link of the README is made, and paid', async () => {
  const { key } = await testApp.newCompany()
  const block = BLOCKS.find((one) => one.startsWith('KEY=')) ?? ''
  const script = block
    .replace('sk_live_test…', key)
    .replaceAll('http://localhost:3000', `http://127.0.0.1:${port}`)

  const { failed, output } = await typeLines(script)

  expect(failed, output).toBe(false)
  expect(output).toMatch(/"status":"approved"/)
})

test('a command prints links that open: at the address where the service listens', async () => {
  const { post } = await testApp.newCompany()
  const { slug } = (await post('/api/payment-links', MINIMAL_LINK)).json()
  const checkoutUrl = 'http://localhost:8080/pagar'
  await saveServiceFacts(testApp.db, {
    ...{ baseUrl: 'http://localhost:8080', checkoutUrl, smtpUrl: undefined },
  })

  const { output } = await typeLines(`npm run -s cli -- pay ${slug}`)

  expect(output).toContain(`is approved: ${checkoutUrl}/${slug}/payments/`)
})

test('every command of the README does what it says', async () => {
  await testApp.newCompany('Minha empresa')
  const typed = BLOCKS.flatMap((block) => block.split('\n')).filter(
    (line) => line.includes('npm run -s cli --') && !NOT_TYPED.test(line),
  )
  // The name in the guide exists nowhere here.
  const lines = typed.map((line) => line.replace('https://example.com/', 'https://93.184.216.34/'))

  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) {
    const { failed, output } = await typeLines(line)
    expect(failed, `${line}\n${output}`).toBe(false)
  }
})

test('the receiver of the README takes what is signed, and nothing else', async () => {
  const [program] = blocksOf('js')
  const [port, secret] = [await reservePort(), newWebhookSecret()]
  const receiver = spawn(findMachineNode(), ['--input-type=module', '-e', program!], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
  })
  onTestFinished(() => {
    receiver.kill()
  })
  const printed = createInterface(receiver.stdout)[Symbol.asyncIterator]()
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body })).status
  const sign = (body: string, signer = secret) => signWebhook([signer], 'evt_1', new Date(), body)
  await expect.poll(() => post('{}', {}).catch(() => 0), { timeout: 10_000 }).toBe(400)

  expect(await post('{}', sign('{}', newWebhookSecret()))).toBe(400)
  await sendHalfABody(port)
  for (const type of EVENT_TYPES) {
    const options = { checkoutUrl: 'http://localhost:3000/pagar', now: new Date() }
    const body = JSON.stringify({ type, data: buildSampleData(type, options) })
    expect(await post(body, sign(body))).toBe(204)
    const { value } = await printed.next()
    expect(value).toMatch(new RegExp(`^evt_1 ${type} [-0-9a-f]{36}$`))
  }
})

/** The Node that a newcomer types `node` for: the machine's own, which may be older than ours. */
function findMachineNode() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const own = folders.filter((folder) => !folder.includes('node_modules'))
  return (
    own.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? process.execPath
  )
}

/** As a sender that dies in the middle. */
async function sendHalfABody(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.end('POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
  await once(socket.resume(), 'close')
}

test('no block of the README is left out unseen', () => {
  expect(blocksOf('js')).toHaveLength(1)
  expect(ALL_BLOCKS.filter(({ language }) => !['sh', 'js'].includes(language))).toEqual([])
  const lines = BLOCKS.filter((block) => !block.startsWith('KEY=')).flatMap((b) => b.split('\n'))
  const others = lines.filter((line) => !line.includes('npm run -s cli --'))

  expect(others.filter((line) => !NOT_TYPED.test(line))).toEqual([])
})
