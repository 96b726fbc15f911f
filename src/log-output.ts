// Standard output for the log's lines, many in one write: a write(2) for each is a tenth of what a
// request costs. Info may wait a moment; an error never does, and nothing is lost when the process ends,
// but by SIGKILL.
import { pino } from 'pino'

const MAX_WAIT_MS = 100
/** Under the 16 kB that are written at once (sonic-boom). */
const MAX_WAITING_BYTES = 8_192
/** Pino's. */
const ERROR_LEVEL = 50

/** Pino tells it the level of each line before it writes it. */
type LogOutput = pino.DestinationStream & {
  [pino.symbols.needsMetadataGsym]: true
  lastLevel: number
}

/** Once in a process. */
export function openLogOutput(): LogOutput {
  const lines = pino.destination({ dest: 1, sync: true, minLength: MAX_WAITING_BYTES })
  let flushing: NodeJS.Timeout | undefined
  process.once('exit', flush)
  return { [pino.symbols.needsMetadataGsym]: true, lastLevel: 0, write }

  function write(this: LogOutput, line: string) {
    lines.write(line)
    if (this.lastLevel >= ERROR_LEVEL) flush()
    else flushing ??= setTimeout(flush, MAX_WAIT_MS).unref()
  }

  function flush() {
    clearTimeout(flushing)
    flushing = undefined
    // At once, since it is synchronous; `flushSync` also waits for the disk, and without end for a reader who left.
    lines.flush()
  }
}
