// Several processes of the service behind nginx, as one program.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reservePort } from '../support/port.ts'
import { awaitFirstAnswer, endProcess, type Program, startService } from './programs.ts'
import type { Seeded } from './seed.ts'

/** Memory and CPU are of the service's processes alone; nginx, one worker, is not counted. */
export async function startProcesses(seeded: Seeded, count: number): Promise<Program> {
  // One after the other: the first migrates, and each is measured on an idle machine.
  const services: Program[] = []
  while (services.length < count) services.push(await startService(seeded))
  const proxy = await startProxy(services.map(({ url }) => url))
  const sum = (of: (service: Program) => number) =>
    services.reduce((total, service) => total + of(service), 0)
  return {
    url: proxy.url,
    startMs: Math.max(...services.map(({ startMs }) => startMs)),
    memoryMb: () => sum((service) => service.memoryMb()),
    cpuUs: () => sum((service) => service.cpuUs()),
    async stop() {
      await proxy.stop()
      await Promise.all(services.map((service) => service.stop()))
    },
  }
}

async function startProxy(urls: string[]) {
  const port = await reservePort()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-nginx-'))
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, buildProxyConfig(port, urls, folder))
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const killed = () => child.kill('SIGTERM')
  process.once('exit', killed)
  const url = `http://127.0.0.1:${port}`
  await awaitFirstAnswer(child, `${url}/readyz`)
  return {
    url,
    async stop() {
      await endProcess(child)
      process.off('exit', killed)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** X-Forwarded-For is handed on as it comes: the load names the payers' addresses. */
function buildProxyConfig(port: number, urls: string[], folder: string) {
  const servers = urls.map((url) => `server ${new URL(url).host};`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off; master_process off; pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000;
  ${paths.map((path) => `${path}_temp_path ${folder}/${path};`).join(' ')}
  upstream service { ${servers.join(' ')} keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header Host $http_host;
    }
  }
}
`
}
