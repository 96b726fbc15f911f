// `npm run sbom`: what the service is made of, for those who must know.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

type Component = { name: string; version: string; licenses?: object[]; hashes?: object[] }

test('the bill of materials names every package of production with version, licence and checksum', () => {
  const printed = execFileSync('npm', ['run', '-s', 'sbom'], { cwd: ROOT, encoding: 'utf8' })

  const bill: { bomFormat: string; components: Component[] } = JSON.parse(printed)
  const named = bill.components.map(({ name, version }) => `${name} ${version}`)
  const production = Object.entries<{ dev?: true; link?: true; version: string }>(lock.packages)
    .filter(([path, { dev, link }]) => path && !dev && !link)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`)
  const bare = bill.components.filter(
    ({ licenses, hashes }) => !licenses?.length || !hashes?.length,
  )

  expect(bill.bomFormat).toBe('CycloneDX')
  expect(production.length).toBeGreaterThan(100)
  expect([...new Set(named)].sort()).toEqual([...new Set(production)].sort())
  expect(bare).toEqual([])
})
