// The operators' commands: `npm run -s cli -- <noun> <verb> [options]`. Exit status 0: done; 1: failed or refused; 2:
// wrong usage. The code of a command is loaded when it is called.
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import {
  CommandError,
  createCommand,
  printFailure,
  printResult,
  UsageError,
} from './commands/command.ts'
import { readSystemError } from './system-error.ts'
import { formatBuild, readBuild } from './version.ts'

const NOUNS: Record<string, () => Promise<{ command: CommandUnknownOpts }>> = {
  company: () => import('./commands/company.ts'),
  user: () => import('./commands/user.ts'),
  key: () => import('./commands/key.ts'),
  webhook: () => import('./commands/webhook.ts'),
  provider: () => import('./commands/provider.ts'),
  listen: () => import('./commands/listen.ts'),
  trigger: () => import('./commands/trigger.ts'),
  pay: () => import('./commands/pay.ts'),
  secrets: () => import('./commands/secrets.ts'),
  reconcile: () => import('./commands/reconcile.ts'),
  migrate: () => import('./commands/migrate.ts'),
  demo: () => import('./commands/demo.ts'),
  doctor: () => import('./commands/doctor.ts'),
}

// A reader such as `head` may close the pipe early, which is no failure; a full disk is.
process.stdout.on('error', (error) => {
  const { code, message } = readSystemError(error)
  if (code === 'EPIPE') process.exit(0)
  printFailure(
    `The output could not be written (${message}): the command was carried out, and a secret that it would have shown is lost.`,
  )
  process.exit(1)
})

try {
  await runCli(spellHelp(process.argv))
} catch (error) {
  process.exitCode = await reportError(error)
}

async function runCli(argv: string[]) {
  if (argv.includes('--version')) return printResult({ json: readBuild(), text: formatBuild() })
  const program = createCommand('npm run -s cli --')
    .description("Vintém's commands for operators, beside a running service or without one.")
    .option('--json', 'One JSON document on standard output, for scripts.')
    .option('--version', 'Shows the version.')
  const noun = argv.slice(2).find((arg) => !arg.startsWith('-')) ?? ''
  const named = Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined
  for (const load of named ? [named] : Object.values(NOUNS)) {
    program.addCommand((await load()).command)
  }
  await program.parseAsync(argv)
}

/** Reads `help webhook add` as `webhook add --help`, since commander's own help knows only the noun. */
function spellHelp([node = '', program = '', first, ...more]: string[]) {
  if (first !== 'help' || more.length === 0) return process.argv
  return [node, program, ...more, '--help']
}

/** Returns the exit status; commander has already printed its own messages. */
async function reportError(error: unknown) {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const { formatFailure } = await import('./commands/failure.ts')
  const isOurs = error instanceof UsageError || error instanceof CommandError
  printFailure(isOurs ? error.message : formatFailure(error))
  return error instanceof UsageError ? 2 : 1
}
