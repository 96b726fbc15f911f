// Ends what a test run has started, and clears its folders, however the run itself ends: killed, too, and
// also what stands still.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Reads what there is until the last writer has left. */
const REAPER_SCRIPT = `
  while read -r word what; do
    case $word in
      start) pids="$pids $what ";;
      end) pids=$(printf %s "$pids" | sed "s/ $what / /g");;
      folder) folders="$folders $what";;
    esac
  done
  for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
  sleep 0.2
  for folder in $folders; do
    umount -q "$folder"/* 2>/dev/null
    rm -rf "$folder"
  done`

let reaper: ReturnType<typeof startReaper> | undefined

/** A child that shall not outlive this process. */
export function reapAtExit<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child
  if (pid === undefined) return child
  notifyReaper(`start ${pid}`)
  child.once('exit', () => notifyReaper(`end ${pid}`))
  return child
}

/** An empty folder for this run, in memory where `parent` is. */
export function makeFolder(name: string, parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, `vintem-${name}-`))
  notifyReaper(`folder ${folder}`)
  return folder
}

function notifyReaper(line: string) {
  reaper ??= startReaper()
  reaper.stdin.write(`${line}\n`)
}

function startReaper() {
  const child = spawn('/bin/sh', ['-c', REAPER_SCRIPT], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  child.stdin.on('error', () => {})
  // A pipe is a socket here, and its types do not say so.
  ;(child.stdin as unknown as { unref(): void }).unref()
  return child
}
