// The operators' commands: `npm run -s cli -- <noun> <verb> [options]`. Exit status 0: done; 1: it
// failed or was refused; 2: wrong use. What a command needs is loaded when it is called.
import {
  type Command,
  CommandError,
  type CommandResult,
  type Commands,
  formatColumns,
  formatUsage,
  UsageError,
} from './commands/command.ts'
import { readSystemError } from './system-error.ts'
import { formatBuild, readBuild } from './version.ts'

const COMMAND_MODULES: Record<string, () => Promise<{ commands: Commands }>> = {
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
const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const
const args = process.argv.slice(2).filter((arg) => arg !== '--json')
const isJson = process.argv.includes('--json')

const interruption = new AbortController()
let handlesSignals = false

// A default death would leave a database running that was started for this command alone.
for (const [signal, status] of Object.entries(SIGNAL_EXIT_CODES)) {
  process.on(signal, () => {
    if (!handlesSignals || interruption.signal.aborted) process.exit(status)
    interruption.abort()
  })
}
// Whoever reads us may have read enough, as `head` has; that the disk is full is no reason to end as if all went well.
process.stdout.on('error', (error) => {
  const { code, message } = readSystemError(error)
  if (code === 'EPIPE') process.exit(0)
  printFailure(
    `The output could not be written (${message}): what the command did stays done, and a secret that it would have shown is lost.`,
  )
  process.exit(1)
})

process.exitCode = await runCli(args)

async function runCli([noun = '', ...rest]: string[]) {
  if (isHelpFlag(noun)) return printLine(await formatOverview())
  if (noun === '--version') return printVersion()
  const load = Object.hasOwn(COMMAND_MODULES, noun) ? COMMAND_MODULES[noun] : undefined
  if (load) return runSubcommand(noun, (await load()).commands, rest)
  const wrong = noun ? `There is no command "${noun}".` : 'No command is given.'
  return printUsageError(wrong, await formatOverview())
}

function printVersion() {
  printResult({ json: readBuild(), text: formatBuild() })
  return 0
}

async function runSubcommand(noun: string, commands: Commands, rest: string[]) {
  const [verb = '', ...given] = '' in commands ? ['', ...rest] : rest
  if (isHelpFlag(verb)) return printLine(await formatOverview(noun))
  const name = `${noun} ${verb}`.trim()
  const found = Object.hasOwn(commands, verb) ? commands[verb] : undefined
  if (!found) return printUsageError(`There is no command "${name}".`, await formatOverview(noun))
  if (given.some(isHelpFlag)) return printLine(formatUsage(name, found))
  return runCommand(name, found, given)
}

async function runCommand(name: string, command: Command, given: string[]) {
  handlesSignals = command.endless ?? false
  try {
    const result = await command.run(given, { print: printResult, signal: interruption.signal })
    printResult(result)
    return result.failed ? 1 : 0
  } catch (error) {
    if (error instanceof UsageError)
      return printUsageError(error.message, formatUsage(name, command))
    return printError(error)
  }
}

/** Every command there is, or those of one noun, each with what it does. */
async function formatOverview(only?: string) {
  const rows: string[][] = []
  for (const [noun, load] of Object.entries(COMMAND_MODULES)) {
    if (only && noun !== only) continue
    const { commands } = await load()
    for (const [verb, { about }] of Object.entries(commands)) {
      rows.push([`${noun} ${verb}`.trim(), about])
    }
  }
  const call = ['npm run -s cli --', only ?? '<noun>', '<verb> [options] [--json]'].join(' ')
  return `Usage: ${call}\n\n${formatColumns(rows, '  ')}\n\nAdd --help to a command for its options; --version says which Vintém this is.`
}

function isHelpFlag(arg: string) {
  return arg === '--help' || arg === '-h'
}

function printResult({ json: document, text }: Pick<CommandResult, 'json' | 'text'>) {
  printLine(isJson ? JSON.stringify(document) : text)
}

function printLine(text: string) {
  process.stdout.write(`${text}\n`)
  return 0
}

async function printError(error: unknown) {
  const { formatFailure: sentenceOf } = await import('./commands/failure.ts')
  printFailure(error instanceof CommandError ? error.message : sentenceOf(error))
  return 1
}

function printFailure(sentence: string) {
  process.stderr.write(isJson ? `${JSON.stringify({ error: sentence })}\n` : `${sentence}\n`)
}

function printUsageError(sentence: string, help: string) {
  const text = isJson ? JSON.stringify({ error: sentence, usage: help }) : `${sentence}\n\n${help}`
  process.stderr.write(`${text}\n`)
  return 2
}
