// What a command of the operators' CLI is. Its options are read, typed and explained from one source,
// so that the help can't say anything else than what the command does.

import { type ParseArgsConfig, parseArgs } from 'node:util'
import { AppError } from '../http/errors.ts'
import { toError } from '../system-error.ts'

export type Option<T> = {
  /** What stands for the value in the help. */
  value: string
  about: string
  /** Undefined when the text is no such value. */
  parse(text: string): T | undefined
  /** Ends the sentence "--name must be …". */
  mustBe: string
  required?: true
  /** Given by its place, not by its name. */
  positional?: true
  /** Given by its name alone. */
  flag?: true
}

type OptionSet = Record<string, Option<unknown>>
type OptionValues<O extends OptionSet> = {
  [Name in keyof O]: O[Name] extends Option<infer T>
    ? O[Name] extends { required: true }
      ? T
      : T | undefined
    : never
}

export type CommandResult = {
  /** For `--json`. */
  json: unknown
  /** For people. */
  text: string
  /** It was done, and what it found is bad. */
  failed?: boolean
}

/** What a command that goes on until it is told to end needs besides its options. */
export type RunContext = {
  /** Says one thing at once: as text, or with `--json` as a line of its own. */
  print(said: Pick<CommandResult, 'json' | 'text'>): void
  /** Aborted by Ctrl-C and the like. */
  signal: AbortSignal
}

export type Command = {
  about: string
  options: OptionSet
  /** It goes on until it is told to end, and then ends by itself. */
  endless?: true | undefined
  /** Throws UsageError for what was typed wrong, Refusal for what is not done. */
  run(args: string[], running: RunContext): Promise<CommandResult>
}

/** The commands of a noun by their verb; the empty verb is the noun on its own. */
export type Commands = Record<string, Command>

export class UsageError extends Error {}

/** Says in one sentence why a command is not done, and what to do. */
export class CommandError extends Error {}

export function defineCommand<O extends OptionSet>(made: {
  about: string
  options: O
  endless?: true
  run(given: OptionValues<O>, running: RunContext): Promise<CommandResult>
}): Command {
  const { about, options, endless } = made
  const run: Command['run'] = async (args, running) => made.run(readOptions(options, args), running)
  return { about, options, endless, run }
}

export function requireOption<T>(option: Option<T>) {
  return { ...option, required: true as const }
}

/** An option that is there or not. */
export function defineFlag(about: string): Option<true> {
  return { value: '', about, parse: () => true, mustBe: 'given without a value', flag: true }
}

/** Domain code refuses in Portuguese, to the people of a company; operators read it in their words. */
export async function translateErrors<T>(
  work: () => Promise<T>,
  describe: (refusal: AppError) => string | undefined,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new CommandError(describe(error) ?? error.message)
  }
}

/** How a command is called and what each of its options is. */
export function formatUsage(name: string, { about, options, endless }: Command) {
  const rows = Object.entries(options).map(([key, option]) => [
    formatOptionName(key, option),
    option.about,
  ])
  const all = [
    ...rows,
    ['--json', `One JSON document ${endless ? 'a line' : 'on standard output'}, for scripts.`],
    ['--help', 'This text.'],
  ]
  const call = [
    'npm run -s cli --',
    name,
    ...Object.entries(options).map(formatOptionUsage),
    '[--json]',
  ]
  return `Usage: ${call.filter(Boolean).join(' ')}\n\n${about}\n\n${formatColumns(all, '  ')}`
}

/** Lines of columns as wide as their widest cell. */
export function formatColumns(rows: string[][], indent = '') {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => (row[i] ?? '').length)),
  )
  return rows
    .map((row) => indent + row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

function formatOptionUsage([key, option]: [string, Option<unknown>]) {
  return option.required ? formatOptionName(key, option) : `[${formatOptionName(key, option)}]`
}

function formatOptionName(key: string, { positional, value }: Option<unknown>) {
  return positional ? value : `--${key} ${value}`.trim()
}

function readOptions<O extends OptionSet>(options: O, args: string[]): OptionValues<O> {
  const entries = Object.entries(options)
  const { values, positionals } = splitArgs(args, options)
  const texts = new Map(Object.entries(values).map(([key, value]) => [key, String(value)]))
  for (const [key, option] of entries) {
    const text = option.positional && positionals.shift()
    if (text) texts.set(key, text)
  }
  if (positionals.length > 0) throw new UsageError(`Nothing is expected as "${positionals[0]}".`)

  const given = entries.map(([key, option]) => [key, readOption(key, option, texts.get(key))])
  // Each read by its own option, which no type of a loop can say.
  return Object.fromEntries(given) as OptionValues<O>
}

function splitArgs(args: string[], known: OptionSet) {
  const options: ParseArgsConfig['options'] = {}
  for (const [key, { positional, flag }] of Object.entries(known)) {
    if (!positional) options[key] = { type: flag ? 'boolean' : 'string' }
  }
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    // Its further sentences speak of `--` and `=`.
    const [first] = toError(error).message.split(/[.\n]/)
    throw new UsageError(`${first}.`)
  }
}

function readOption(key: string, option: Option<unknown>, text: string | undefined) {
  const name = option.positional ? option.value : `--${key}`
  if (text === undefined) {
    if (option.required) throw new UsageError(`${name} is missing.`)
    return undefined
  }
  const value = option.parse(text)
  if (value === undefined) throw new UsageError(`${name} must be ${option.mustBe}.`)
  return value
}
