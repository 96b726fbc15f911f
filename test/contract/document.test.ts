// The document before the linters that strangers use.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openTestApp } from '../support/test-app.ts'
import { needTool, redocly, spectral } from './tools.ts'

const { needs } = await openTestApp()
const folder = mkdtempSync(join(tmpdir(), 'vintem-document-'))
const file = join(folder, 'openapi.json')
const rules = join(folder, 'spectral.json')

beforeAll(async () => {
  // A public address: linters rightly warn of localhost.
  const app = await buildApp({ ...needs, baseUrl: 'https://links.vintem.com.br' })
  writeFileSync(file, (await app.inject('/api/openapi.json')).body)
  writeFileSync(rules, JSON.stringify({ extends: [['spectral:oas', 'recommended']] }))
  await app.close()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("Redocly's recommended rules find nothing", async (context) => {
  const report = await redocly('lint', '--extends=recommended', '--format=json', file)
  needTool(context, report)

  expect(report, report.errors).toMatchObject({ status: 0 })
  expect(JSON.parse(report.output)).toMatchObject({ totals: { errors: 0, warnings: 0 } })
})

test("Spectral's rules find nothing", async (context) => {
  const report = await spectral('lint', '--fail-severity=hint', '-r', rules, file)
  needTool(context, report)

  expect(report).toMatchObject({ status: 0, output: expect.stringContaining('No results') })
})
