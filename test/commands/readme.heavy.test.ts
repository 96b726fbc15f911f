// What the README tells people to type, typed.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestApp } from '../support/test-app.ts'

const ROOT = join(import.meta.dirname, '../..')
const BLOCKS = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g),
].map(([, block = '']) => block.trim())
/** They go on until they are stopped, need a bank, or install what is here already. */
const NOT_TYPED =
  /^(npm ci|docker compose|export SECRET_KEY)|cli -- (listen|provider) |^cat > banco/

const testApp = await openTestApp()
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.addresses()[0] as AddressInfo

/** As a shell does that stops at the first failure. */
async function typeLines(script: string) {
  const env = {
    ...process.env,
    DATABASE_URL: testApp.url,
    SECRET_KEY: testApp.secretKey,
    BASE_URL: '',
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

test('every command of the README does what it says', async () => {
  await testApp.newCompany('Minha empresa')
  const typed = BLOCKS.flatMap((block) => block.split('\n')).filter(
    (line) => line.includes('npm run -s cli --') && !NOT_TYPED.test(line),
  )
  // Its name is nobody's here.
  const lines = typed.map((line) => line.replace('https://example.com/', 'https://93.184.216.34/'))

  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) {
    const { failed, output } = await typeLines(line)
    expect(failed, `${line}\n${output}`).toBe(false)
  }
})

test('no block of the README is left out unseen', () => {
  const lines = BLOCKS.filter((block) => !block.startsWith('KEY=')).flatMap((b) => b.split('\n'))
  const others = lines.filter((line) => !line.includes('npm run -s cli --'))

  expect(others.filter((line) => !NOT_TYPED.test(line) && !/^(\{|JSON$)/.test(line))).toEqual([])
})
