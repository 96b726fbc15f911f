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

const NOUNS: Record<string, () => Promise<{ commands: Commands }>> = {
  company: () => import('./commands/company.ts'),
  user: () => import('./commands/user.ts'),
  key: () => import('./commands/key.ts'),
  webhook: () => import('./commands/webhook.ts'),
  provider: () => import('./commands/provider.ts'),
  listen: () => import('./commands/listen.ts'),
  trigger: () => import('./commands/trigger.ts'),
  reconcile: () => import('./commands/reconcile.ts'),
  migrate: () => import('./commands/migrate.ts'),
  demo: () => import('./commands/demo.ts'),
  doctor: () => import('./commands/doctor.ts'),
}
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

const ending = new AbortController()
let endsItself = false

// A default death would leave a database running that was started for this command alone.
for (const [signal, status] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    if (!endsItself || ending.signal.aborted) process.exit(status)
    ending.abort()
  })
}
// Whoever reads us may have read enough, as `head` has.
process.stdout.on('error', () => process.exit(0))

const args = process.argv.slice(2).filter((arg) => arg !== '--json')
const json = process.argv.includes('--json')
process.exitCode = await run(args)

async function run([noun = '', ...rest]: string[]) {
  if (isHelp(noun)) return say(await overview())
  const load = Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined
  if (load) return runOf(noun, (await load()).commands, rest)
  const wrong = noun ? `There is no command "${noun}".` : 'No command is given.'
  return misused(wrong, await overview())
}

async function runOf(noun: string, commands: Commands, rest: string[]) {
  const [verb = '', ...given] = '' in commands ? ['', ...rest] : rest
  if (isHelp(verb)) return say(await overview(noun))
  const name = `${noun} ${verb}`.trim()
  const found = Object.hasOwn(commands, verb) ? commands[verb] : undefined
  if (!found) return misused(`There is no command "${name}".`, await overview(noun))
  if (given.some(isHelp)) return say(formatUsage(name, found))
  return runCommand(name, found, given)
}

async function runCommand(name: string, command: Command, given: string[]) {
  endsItself = command.endless ?? false
  try {
    const result = await command.run(given, { print: tell, signal: ending.signal })
    tell(result)
    return result.failed ? 1 : 0
  } catch (error) {
    if (error instanceof UsageError) return misused(error.message, formatUsage(name, command))
    return refused(error)
  }
}

/** Every command there is, or those of one noun, each with what it does. */
async function overview(only?: string) {
  const rows: string[][] = []
  for (const [noun, load] of Object.entries(NOUNS)) {
    if (only && noun !== only) continue
    const { commands } = await load()
    for (const [verb, { about }] of Object.entries(commands)) {
      rows.push([`${noun} ${verb}`.trim(), about])
    }
  }
  const call = ['npm run -s cli --', only ?? '<noun>', '<verb> [options] [--json]'].join(' ')
  return `Usage: ${call}\n\n${formatColumns(rows, '  ')}\n\nAdd --help to a command for its options.`
}

function isHelp(arg: string) {
  return arg === '--help' || arg === '-h'
}

function tell({ json: document, text }: Pick<CommandResult, 'json' | 'text'>) {
  say(json ? JSON.stringify(document) : text)
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
  return 0
}

async function refused(error: unknown) {
  const { formatFailure: sentenceOf } = await import('./commands/failure.ts')
  const sentence = error instanceof CommandError ? error.message : sentenceOf(error)
  process.stderr.write(json ? `${JSON.stringify({ error: sentence })}\n` : `${sentence}\n`)
  return 1
}

function misused(sentence: string, help: string) {
  const text = json ? JSON.stringify({ error: sentence, usage: help }) : `${sentence}\n\n${help}`
  process.stderr.write(`${text}\n`)
  return 2
}
