// A program on the embedded Postgres of the folder it is given. It says its url, or why it has none,
// in one line of JSON; on a signal it says what the database still answers, and stops.
import { startEmbeddedPostgres } from '../../../src/database/embedded/server.ts'
import { runStatement } from '../postgres/statement.ts'

const SILENT_LOG = { info() {}, warn() {}, error() {} }

try {
  const { url, stop } = await startEmbeddedPostgres({
    dataDir: process.argv[2] as string,
    log: SILENT_LOG,
  })
  const alive = setInterval(() => {}, 60_000)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      const [answer] = await runStatement(url, 'select 1 as still')
      printJson(answer)
      await stop()
      clearInterval(alive)
    })
  }
  printJson({ url })
} catch (error) {
  printJson({ refused: (error as Error).message })
}

function printJson(what: object) {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
