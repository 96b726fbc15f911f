// What the Dockerfile makes, without Docker: its own install command and its own COPYs, in a folder that is
// read-only, and its own commands run there by a user who is not root.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { UNPRIVILEGED_USER } from '../../../src/database/embedded/os-user.ts'
import { REPOSITORY } from './repository-copy.ts'

const STAGE = /^FROM /m

export function buildImage() {
  const [, first = '', last = ''] = readDockerfile().split(STAGE)
  const scratch = mkdtempSync(join(tmpdir(), 'vintem-image-'))
  const [dependencies, folder] = [join(scratch, 'dependencies'), join(scratch, 'app')]
  copyParts(first, dependencies)
  runInstall(readCommand(first, 'RUN'), dependencies)
  copyParts(last, folder)
  cpSync(join(dependencies, 'node_modules'), join(folder, 'node_modules'), { recursive: true })
  // By itself, so that only what the Dockerfile names can be found from there.
  cpSync(process.execPath, join(scratch, 'bin/node'))
  chmodSync(scratch, 0o755)
  const settings = [...last.matchAll(/^ENV (\w+)="?(.+?)"?$/gm)].map(
    ([, name = '', value = '']) => [name, value.replace(/^\/app/, folder)] as const,
  )
  const bin = join(scratch, 'bin')
  const environment = { ...Object.fromEntries(settings), PATH: `${bin}:${process.env.PATH}` }
  runSteps(last, { cwd: folder, env: environment })
  execFileSync('chmod', ['-R', 'a-w,a+rX', folder])
  const options = (own: NodeJS.ProcessEnv) => ({
    ...UNPRIVILEGED_USER,
    cwd: folder,
    env: { ...environment, ...own },
  })
  return {
    folder,
    /** A file that is not in the image. */
    add(path: string) {
      chmodSync(folder, 0o755)
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      cpSync(join(REPOSITORY, path), join(folder, path))
    },
    listCompiled: () =>
      readdirSync(join(folder, '.cache'), { recursive: true, encoding: 'utf8' }).sort(),
    start(own: NodeJS.ProcessEnv): ChildProcess {
      const [program = '', ...rest] = JSON.parse(readCommand(last, 'CMD'))
      return spawn(program, rest, { ...options(own), stdio: ['ignore', 'ignore', 'inherit'] })
    },
    isHealthy(own: NodeJS.ProcessEnv) {
      const [program = '', ...rest] = JSON.parse(readCommand(last, 'HEALTHCHECK .*? CMD'))
      return spawnSync(program, rest, options(own)).status === 0
    },
    run: (args: string[], input: string) =>
      spawnSync('node', args, { ...options({}), input, encoding: 'utf8' }),
    remove() {
      execFileSync('chmod', ['-R', 'u+w', scratch])
      rmSync(scratch, { recursive: true })
    },
  }
}

/** Without comments, each instruction on one line. */
export function readDockerfile() {
  const text = readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8')
  return text.replace(/^#.*\n/gm, '').replace(/\s*\\\n\s*/g, ' ')
}

function readCommand(stage: string, instruction: string) {
  const [, command] = new RegExp(`^${instruction} (.*)$`, 'm').exec(stage) ?? []
  if (!command) throw new Error(`The Dockerfile has no ${instruction}`)
  return command
}

/** Those before USER as root, the others as whom it names. */
function runSteps(stage: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const [asRoot = '', asUser = ''] = stage.split(/^USER .*$/m)
  const listCommands = (part: string) =>
    [...part.matchAll(/^RUN (.*)$/gm)].map(([, run = '']) => run)
  const { uid } = UNPRIVILEGED_USER
  for (const command of listCommands(asRoot)) {
    execFileSync('/bin/sh', ['-c', command.replace('-o 1000', `-o ${uid}`)], options)
  }
  for (const command of listCommands(asUser)) {
    execFileSync('/bin/sh', ['-c', command], { ...options, ...UNPRIVILEGED_USER })
  }
}

function copyParts(stage: string, folder: string) {
  mkdirSync(folder)
  for (const [, parts = ''] of stage.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
    for (const part of parts.split(' ')) {
      cpSync(join(REPOSITORY, part), join(folder, part), { recursive: true })
    }
  }
}

/** From the cache where it can be: `npm ci` of this checkout has fetched all of it. */
function runInstall(command: string, cwd: string) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name !== 'npm_config_local_prefix',
  )
  const env = { ...Object.fromEntries(inherited), npm_config_prefer_offline: 'true' }
  execFileSync('/bin/sh', ['-c', command], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (!existsSync(join(cwd, 'node_modules'))) throw new Error(`${command} installed nothing`)
}
