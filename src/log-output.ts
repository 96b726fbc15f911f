// Standard output for the log's lines, many in one write: a write(2) for each is a tenth of what a
// request costs. Info may wait a moment; an error never does, and nothing is lost when the process ends,
// but by SIGKILL. A full disk ends no program that takes payments: what cannot be written waits for room.
import { writeSync } from 'node:fs'
import { pino } from 'pino'

const MAX_WAIT_MS = 100
const MAX_WAITING_CHARS = 8_192
const MAX_UNWRITTEN_BYTES = 1_000_000
/** Pino's. */
const ERROR_LEVEL = 50
const [STANDARD_OUTPUT, STANDARD_ERROR] = [1, 2]

/** Pino tells it the level of each line before it writes it. */
export type LogOutput = pino.DestinationStream & {
  [pino.symbols.needsMetadataGsym]: true
  lastLevel: number
}

/** Once in a process. */
export function openLogOutput(): LogOutput {
  const maxLength = MAX_UNWRITTEN_BYTES
  const output = pino.destination({ dest: STANDARD_OUTPUT, sync: true, maxLength })
  outlastFailures(output)
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

/** The next write tries again. */
function outlastFailures(output: ReturnType<typeof pino.destination>) {
  let isFailing = false
  let lostCount = 0
  output.on('error', ({ message }: Error) => {
    if (!isFailing)
      writeComplaint(
        `The log cannot be written (${message}): its lines wait for room, and what is more than a megabyte of them is lost.\n`,
      )
    isFailing = true
  })
  output.on('drop', (lines: string) => {
    lostCount += lines.split('\n').length - 1
  })
  output.on('write', () => {
    isFailing = false
    if (lostCount === 0) return
    const msg = `${lostCount} lines of the log were lost: it could not be written`
    lostCount = 0
    output.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`)
  })
}

function writeComplaint(sentence: string) {
  try {
    writeSync(STANDARD_ERROR, sentence)
  } catch {
    // It is written to the same disk.
  }
}
