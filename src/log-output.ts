// Standard output for the log's lines, many in one write: a write(2) for each is a tenth of what a
// request costs. Info may wait a moment; an error never does, and nothing is lost when the process ends,
// but by SIGKILL.
import { pino } from 'pino'

const MAX_WAIT_MS = 100
const MAX_WAITING_CHARS = 8_192
/** Pino's. */
const ERROR_LEVEL = 50

/** Pino tells it the level of each line before it writes it. */
type LogOutput = pino.DestinationStream & {
  [pino.symbols.needsMetadataGsym]: true
  lastLevel: number
}

/** Once in a process. */
export function openLogOutput(): LogOutput {
  const output = pino.destination({ dest: 1, sync: true })
  // Here and not by its `minLength`, which for each line measures and copies all that wait.
  let waiting = ''
  let flushing: NodeJS.Timeout | undefined
  process.once('exit', flush)
  return { [pino.symbols.needsMetadataGsym]: true, lastLevel: 0, write }

  function write(this: LogOutput, line: string) {
    waiting += line
    if (this.lastLevel >= ERROR_LEVEL || waiting.length >= MAX_WAITING_CHARS) flush()
    else flushing ??= setTimeout(flush, MAX_WAIT_MS).unref()
  }

  function flush() {
    clearTimeout(flushing)
    flushing = undefined
    const lines = waiting
    waiting = ''
    if (lines !== '') output.write(lines)
  }
}
