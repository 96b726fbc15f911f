// What long work says while it goes on. It goes to standard error, so that what scripts read stays one
// document: on a terminal one line that is written over, elsewhere a line every few seconds.

type ShowProgress = (text: string) => void

type ProgressStream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>

const REWRITE_INTERVAL_MS = 100
const LINE_INTERVAL_MS = 3_000
const DEFAULT_COLUMNS = 80
const ERASE_LINE = '\r\x1b[2K'

/** Nothing is said of work that is soon over; the line on a terminal goes with the work. */
export async function withProgress<T>(
  work: (show: ShowProgress) => Promise<T>,
  stream: ProgressStream = process.stderr,
): Promise<T> {
  const intervalMs = stream.isTTY ? REWRITE_INTERVAL_MS : LINE_INTERVAL_MS
  let shownAt = performance.now()
  let isShown = false
  try {
    return await work(showProgress)
  } finally {
    if (isShown && stream.isTTY) stream.write(ERASE_LINE)
  }

  function showProgress(text: string) {
    if (performance.now() - shownAt < intervalMs) return
    shownAt = performance.now()
    isShown = true
    const { isTTY, columns = DEFAULT_COLUMNS } = stream
    stream.write(isTTY ? `${ERASE_LINE}${text.slice(0, columns - 1)}` : `${text}\n`)
  }
}
