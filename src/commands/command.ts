// Shared by all commands of the operators' CLI: their definition, and printing their result as text or, with `--json`,
// as one document.

import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { AppError } from '../http/errors.ts'

export type CommandResult = {
  json: unknown
  text: string
  /** The command ran, but found a problem. */
  failed?: boolean
}

/** Wrong usage that no single option can report. */
export class UsageError extends Error {}

/** Says in one sentence why a command failed, and what to do. */
export class CommandError extends Error {}

const HELP_HINT = '(see --help)'

/** Creates a command that reports wrong usage by a CommanderError; its subcommands inherit that. */
export function createCommand(name: string) {
  return new Command(name)
    .helpCommand('help [command]', 'Shows the options of a command.')
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      optionTerm: ({ flags, mandatory }) => (mandatory ? `${flags} (required)` : flags),
    })
    .configureOutput({
      outputError: (text) => printFailure(text.replace(/^error: /, '').trimEnd()),
    })
    .showHelpAfterError(isJson() ? false : HELP_HINT)
}

export function printing<Args extends unknown[]>(work: (...args: Args) => Promise<CommandResult>) {
  return async (...args: Args): Promise<void> => {
    const result = await work(...args)
    printResult(result)
    if (result.failed) process.exitCode = 1
  }
}

export function printResult({ json, text }: Pick<CommandResult, 'json' | 'text'>) {
  process.stdout.write(`${isJson() ? JSON.stringify(json) : text}\n`)
}

export function printFailure(sentence: string) {
  process.stderr.write(`${isJson() ? JSON.stringify({ error: sentence }) : sentence}\n`)
}

function isJson() {
  return process.argv.includes('--json')
}

const PROGRESS_INTERVAL_MS = 3_000

/**
 * Prints the last step of long work every few seconds, to standard error, so that the output for scripts stays one
 * document.
 */
export function createProgress() {
  let shownAt = performance.now()
  return (text: string) => {
    if (performance.now() - shownAt < PROGRESS_INTERVAL_MS) return
    shownAt = performance.now()
    process.stderr.write(`${text}\n`)
  }
}

/** Parses a value. `mustBe` completes "It must be …" when `parse` returns undefined. */
export function parseBy<T>(parse: (text: string) => T | undefined, mustBe: string) {
  return (text: string): T => {
    const value = parse(text)
    if (value === undefined) throw new InvalidArgumentError(`It must be ${mustBe}.`)
    return value
  }
}

/** Domain code has Portuguese texts for the people of a company; operators read English ones instead. */
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

/** Prints `head` above the rows, or `none` without rows. */
export function formatTable(head: string[], rows: string[][], none: string) {
  return rows.length > 0 ? formatColumns([head, ...rows]) : none
}

export function formatColumns(rows: string[][], indent = '') {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => (row[i] ?? '').length)),
  )
  return rows
    .map((row) => indent + row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}
