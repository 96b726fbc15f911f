// Shared by all commands of the operators' CLI: their definition, and the output of their result as text or, with
// `--json`, as one document.

import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { AppError } from '../http/errors.ts'

export type CommandResult = {
  /** For `--json`. */
  json: unknown
  /** For people. */
  text: string
  /** It was done, and what it found is bad. */
  failed?: boolean
}

/** What was typed is wrong in a way that no single option says. */
export class UsageError extends Error {}

/** Says in one sentence why a command is not done, and what to do. */
export class CommandError extends Error {}

const HELP_HINT = '(--help says what it takes)'

/** Refuses wrong use by a CommanderError; its verbs inherit that. */
export function createCommand(name: string) {
  return new Command(name)
    .helpCommand('help [command]', 'Shows what a command takes.')
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

/** The action of a command that prints what `work` answers. */
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
 * Says of long work every few seconds what is shown last. It goes to standard error, so that what scripts read stays
 * one document.
 */
export function createProgress() {
  let shownAt = performance.now()
  return (text: string) => {
    if (performance.now() - shownAt < PROGRESS_INTERVAL_MS) return
    shownAt = performance.now()
    process.stderr.write(`${text}\n`)
  }
}

/** Reads a value; `mustBe` ends the sentence "It must be …" about one that `parse` answers nothing for. */
export function parseBy<T>(parse: (text: string) => T | undefined, mustBe: string) {
  return (text: string): T => {
    const value = parse(text)
    if (value === undefined) throw new InvalidArgumentError(`It must be ${mustBe}.`)
    return value
  }
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

/** `head` stands above the rows, if there are any. */
export function formatTable(head: string[], rows: string[][], none: string) {
  return rows.length > 0 ? formatColumns([head, ...rows]) : none
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
