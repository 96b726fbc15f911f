// What a command of the operators' CLI is. Its options are read, typed and explained from one source,
// so that the help can't say anything else than what the command does.
import { type ParseArgsConfig, parseArgs } from 'node:util'

export type Option<T> = {
  /** What stands for the value in the help. */
  value: string
  about: string
  /** Undefined when the text is no such value. */
  parse(text: string): T | undefined
  /** Ends the sentence "--name must be …". */
  must: string
  required?: true
  /** Given by its place, not by its name. */
  positional?: true
  /** Given by its name alone. */
  flag?: true
}

type Options = Record<string, Option<unknown>>
type Given<O extends Options> = {
  [Name in keyof O]: O[Name] extends Option<infer T>
    ? O[Name] extends { required: true }
      ? T
      : T | undefined
    : never
}

export type Result = {
  /** For `--json`. */
  json: unknown
  /** For people. */
  text: string
  /** It was done, and what it found is bad. */
  failed?: boolean
}

/** What a command that goes on until it is told to end needs besides its options. */
export type Running = {
  /** Says one thing at once: as text, or with `--json` as a line of its own. */
  tell(said: Pick<Result, 'json' | 'text'>): void
  /** Aborted by Ctrl-C and the like. */
  ending: AbortSignal
}

export type Command = {
  about: string
  options: Options
  /** It goes on until it is told to end, and then ends by itself. */
  endless?: true | undefined
  /** Throws WrongUse for what was typed wrong, Refusal for what is not done. */
  run(args: string[], running: Running): Promise<Result>
}

/** The commands of a noun by their verb; the empty verb is the noun on its own. */
export type Commands = Record<string, Command>

export class WrongUse extends Error {}

/** Says in one sentence why a command is not done, and what to do. */
export class Refusal extends Error {}

export function command<O extends Options>(made: {
  about: string
  options: O
  endless?: true
  run(given: Given<O>, running: Running): Promise<Result>
}): Command {
  const { about, options, endless } = made
  const run: Command['run'] = async (args, running) => made.run(read(options, args), running)
  return { about, options, endless, run }
}

export function required<T>(option: Option<T>) {
  return { ...option, required: true as const }
}

/** An option that is there or not. */
export function flag(about: string): Option<true> {
  return { value: '', about, parse: () => true, must: 'given without a value', flag: true }
}

/** How a command is called and what each of its options is. */
export function usage(name: string, { about, options, endless }: Command) {
  const rows = Object.entries(options).map(([key, option]) => [written(key, option), option.about])
  const all = [
    ...rows,
    ['--json', `One JSON document ${endless ? 'a line' : 'on standard output'}, for scripts.`],
    ['--help', 'This text.'],
  ]
  const call = ['npm run -s cli --', name, ...Object.entries(options).map(asTyped), '[--json]']
  return `Usage: ${call.filter(Boolean).join(' ')}\n\n${about}\n\n${columns(all, '  ')}`
}

/** Lines of columns as wide as their widest cell. */
export function columns(rows: string[][], indent = '') {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows
    .map((row) => indent + row.map((cell, i) => cell.padEnd(widths[i]!)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

function asTyped([key, option]: [string, Option<unknown>]) {
  return option.required ? written(key, option) : `[${written(key, option)}]`
}

function written(key: string, { positional, value }: Option<unknown>) {
  return positional ? value : `--${key} ${value}`.trim()
}

function read<O extends Options>(options: O, args: string[]): Given<O> {
  const entries = Object.entries(options)
  const { values, positionals } = split(args, options)
  const texts = new Map(Object.entries(values).map(([key, value]) => [key, String(value)]))
  for (const [key, option] of entries) {
    const text = option.positional && positionals.shift()
    if (text) texts.set(key, text)
  }
  if (positionals.length > 0) throw new WrongUse(`Nothing is expected as "${positionals[0]}".`)

  const given = entries.map(([key, option]) => [key, take(key, option, texts.get(key))])
  return Object.fromEntries(given) as Given<O>
}

function split(args: string[], known: Options) {
  const options: ParseArgsConfig['options'] = {}
  for (const [key, { positional, flag }] of Object.entries(known)) {
    if (!positional) options[key] = { type: flag ? 'boolean' : 'string' }
  }
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    // Its further sentences speak of `--` and `=`.
    const [first] = (error as Error).message.split(/[.\n]/)
    throw new WrongUse(`${first}.`)
  }
}

function take(key: string, option: Option<unknown>, text: string | undefined) {
  const name = option.positional ? option.value : `--${key}`
  if (text === undefined) {
    if (option.required) throw new WrongUse(`${name} is missing.`)
    return undefined
  }
  const value = option.parse(text)
  if (value === undefined) throw new WrongUse(`${name} must be ${option.must}.`)
  return value
}
