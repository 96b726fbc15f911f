// Tools of others that judge our document. They need a TypeScript with a compiler inside, which the
// project's no longer has, so they stay out of package.json and come by npx.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'vitest'

const REDOCLY = ['@redocly/cli@2.77.0']
const SPECTRAL = ['@stoplight/spectral-cli@6.16.3']
const GENERATOR = ['typescript@5.9.3', 'openapi-typescript@7.13.0']

const HEY_API = ['typescript@5.9.3', '@hey-api/openapi-ts@0.99.0']

const NOT_FETCHED = /npm (error|ERR!) (code|network) \S*/i

type Finished = { status: number; output: string; errors: string }

export const redocly = (...args: string[]) => npx(REDOCLY, 'redocly', args)
export const spectral = (...args: string[]) => npx(SPECTRAL, 'spectral', args)
export const heyApi = (...args: string[]) => npx(HEY_API, 'openapi-ts', args)
export const openapiTypescript = (...args: string[]) => npx(GENERATOR, 'openapi-typescript', args)

/** Skips the test where npx cannot fetch the tool; in CI that is a failure. */
export function needTool({ skip }: TestContext, { status, errors }: Finished) {
  const why = status === 0 ? undefined : NOT_FETCHED.exec(errors)?.[0]
  if (why === undefined) return
  const said = `npx could not fetch the tool (${why}): the document was not judged`
  if (process.env.CI === 'true') throw new Error(said)
  skip(said)
}

export async function runTool(
  program: string,
  args: string[],
  env: object = {},
): Promise<Finished> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[status], output, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { status, output, errors }
}

function npx(packages: string[], program: string, args: string[]) {
  const named = packages.flatMap((name) => ['-p', name])
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  return runTool('npx', ['--yes', ...named, program, ...args], quiet)
}
