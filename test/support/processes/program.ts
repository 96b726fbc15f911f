// Programs of this repository in processes of their own.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Answer } from '../run-command.ts'
import { REPOSITORY } from './repository-copy.ts'

export const CLI = join(REPOSITORY, 'src/cli.ts')

/** For all of them. As `npm start` has it, what was compiled before starts in half the time. */
export const PROGRAM_ENV = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(REPOSITORY, 'node_modules/.cache/vintem'),
}

type Run = { program?: 'cli.ts' | 'main.ts'; env: NodeJS.ProcessEnv; timeoutMs?: number }

/** Runs the command line, unless told otherwise, to its end. `env`: of this test, all else is PROGRAM_ENV. */
export function runProgram(
  words: string[],
  { program = 'cli.ts', env, timeoutMs }: Run,
): Promise<Answer> {
  const args = [join(REPOSITORY, 'src', program), ...words]
  const options = { env: { ...PROGRAM_ENV, ...env }, timeout: timeoutMs }
  return new Promise((answer) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      answer({ status: error ? (error.code ?? error.signal) : 0, stdout, stderr })
    })
  })
}
