// The languages of the documentation's programs: what runs them here, and how.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished, type TestContext } from 'vitest'

const SAMPLES = join(import.meta.dirname, '../../views/docs/samples')

export type Language = {
  name: string
  file: string
  program: string
  /** The command that succeeds when it is installed. */
  version: string[]
  /** What stands before the file; a receiver in PHP is served by PHP. */
  before?: (port?: string) => string[]
}

const LANGUAGES: Language[] = [
  { name: 'Shell', file: 'shell.sh', program: 'bash', version: ['-c', 'curl -V && jq -V'] },
  { name: 'Node', file: 'node.mjs', program: process.execPath, version: ['-v'] },
  { name: 'Python', file: 'python.py', program: 'python3', version: ['-V'] },
  {
    name: 'PHP',
    file: 'php.php',
    program: 'php',
    version: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
    before: (port) => (port ? ['-S', `127.0.0.1:${port}`] : []),
  },
]

type Run = { args?: string[]; env: Record<string, string>; input?: string }

/** Those that the documentation has this task in. */
export function languagesOf(task: string) {
  return LANGUAGES.filter(({ file }) => existsSync(join(SAMPLES, task, file)))
}

/** Skips the test where the language is not installed; in CI that is a failure. */
export function needLanguage({ skip }: TestContext, { name, program, version }: Language) {
  if (spawnSync(program, version).status === 0) return
  const said = `${name} is not installed: its program was not run`
  if (process.env.CI === 'true') throw new Error(said)
  skip(said)
}

export async function runSample(task: string, language: Language, { input = '', ...run }: Run) {
  const child = startSample(task, language, run)
  child.stdin.end(input)
  const [[status], output, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { status: Number(status), output: output.trim(), errors }
}

/** It ends with the test. */
export function startSample(task: string, language: Language, { args = [], env }: Run) {
  const before = language.before?.(env.PORT) ?? []
  const child = spawn(language.program, [...before, join(SAMPLES, task, language.file), ...args], {
    env: { ...process.env, ...env },
    stdio: 'pipe',
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  return child
}
