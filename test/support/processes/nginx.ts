// The nginx of .docker/nginx.conf, as operators are told to use it, before processes of the test's.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeOwner, UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { reservePort } from '../port.ts'
import { makeFolder, reapAtExit } from './reaper.ts'

const CONFIGURATION = new URL('../../../.docker/nginx.conf', import.meta.url)
const READY_WITHIN_MS = 10_000

/** Before as many processes as the configuration names, at these ports. */
export async function startNginx(ports: number[]) {
  const port = await reservePort()
  const folder = makeFolder('nginx')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, buildConfiguration(folder, port, ports))
  for (const path of [folder, file]) changeOwner(path, UNPRIVILEGED_USER)
  const options = ['-e', join(folder, 'error.log'), '-c', file]
  const server = reapAtExit(spawn('nginx', options, { ...UNPRIVILEGED_USER, stdio: 'ignore' }))
  const url = `http://127.0.0.1:${port}`
  for (const until = Date.now() + READY_WITHIN_MS; ; await sleep(20)) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer) break
    if (Date.now() > until || server.exitCode !== null) throw new Error('nginx did not start')
  }
  return {
    url,
    /** What it noticed of processes that did not answer. */
    readErrors: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    async end() {
      server.kill('SIGTERM')
      await once(server, 'exit')
    },
  }
}

function buildConfiguration(folder: string, port: number, ports: number[]) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((what) => `  ${what}_temp_path ${folder}/${what};`)
    .join('\n')
  const published = readFileSync(CONFIGURATION, 'utf8')
  const ours = ports.reduce(
    (text, at, i) => text.replace(`vintem-${i + 1}:3000`, `127.0.0.1:${at}`),
    published.replace('listen 80;', `listen 127.0.0.1:${port};`),
  )
  if (/vintem-\d:3000|listen 80;/.test(ours)) throw new Error('nginx.conf names other processes')
  return `
daemon off;
worker_processes 2;
pid ${folder}/pid;
events {}
http {
  access_log off;
${temporary}
${ours}
}`
}
