// What processes have used of the processors, in µs, from the accounting of Linux, which goes in steps
// of 10 ms. Not a number elsewhere, and of a Postgres on another machine.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** USER_HZ is 100 wherever Node runs. */
const TICK_US = 10_000

type Usage = { parent: number; ownUs: number; endedChildrenUs: number }

/** All its threads. */
export function readCpuUs(pid: number) {
  return readUsage(pid)?.ownUs ?? Number.NaN
}

/** Opens a reading of the whole server: its backends, those that have ended, its workers. */
export async function openPostgresCpu(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  // While the backend lives: its number could be anybody's on another machine than this.
  const isHere = readProc(rows[0].pid, 'comm')?.startsWith('postgres') ?? false
  const postmaster = readUsage(rows[0].pid)?.parent
  await client.end()
  return isHere && postmaster ? () => sumFamily(postmaster) : () => Number.NaN
}

function sumFamily(postmaster: number) {
  const usages = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readUsage(Number(name)) ?? [])
  const children = usages.filter(({ parent }) => parent === postmaster)
  const own = readUsage(postmaster)
  const ended = (own?.ownUs ?? Number.NaN) + (own?.endedChildrenUs ?? 0)
  return children.reduce((sum, { ownUs }) => sum + ownUs, ended)
}

function readUsage(pid: number): Usage | undefined {
  const stat = readProc(pid, 'stat')
  if (stat === undefined) return undefined
  // After the command, which may hold anything: state, ppid, … utime, stime, cutime, cstime.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15)
  return {
    parent: fields[1] ?? 0,
    ownUs: (user + system) * TICK_US,
    endedChildrenUs: (childUser + childSystem) * TICK_US,
  }
}

/** Nothing of a process that is gone, or where there is no such folder. */
function readProc(pid: number, name: 'stat' | 'comm') {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
