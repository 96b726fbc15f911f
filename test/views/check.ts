// `npm run check:views`: every view against its model (Views in src/http/html.ts), by TypeScript.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compileRuntime, compileView, isIcon, listViews, readView } from './compile.ts'

const ROOT = join(import.meta.dirname, '../..')

type Checked = {
  /** The folder of the views. */
  views: string
  /** The module of the type `Views`. */
  models: string
  /** Others that add to it. */
  include?: string[]
}

/** What TypeScript has against the views, a line each: `dashboard/home/home.eta:12: error …`. */
export function checkViews({ views, models, include = [] }: Checked) {
  const folder = mkdtempSync(join(tmpdir(), 'views-'))
  try {
    const names = listViews(views)
    write(folder, 'runtime.ts', compileRuntime(names, models, views))
    for (const name of names.filter((one) => !isIcon(one))) {
      write(folder, `${name}.ts`, compileView(name, readView(views, name)))
    }
    write(folder, 'package.json', '{ "type": "module" }')
    write(folder, 'tsconfig.json', JSON.stringify(configOf(include)))
    return runCompiler(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function configOf(include: string[]) {
  return {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      typeRoots: [join(ROOT, 'node_modules/@types')],
      noUnusedLocals: false,
      noUnusedParameters: false,
    },
    include: ['**/*.ts', ...include],
  }
}

function write(folder: string, file: string, text: string) {
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

function runCompiler(folder: string): string[] {
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--pretty', 'false'], { cwd: folder })
    return []
  } catch (error) {
    const { stdout } = error as { stdout: Buffer }
    return stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^(?!\.\.)(\S+)\.ts\((\d+),\d+\)/, '$1.eta:$2'))
  }
}

if (import.meta.main) {
  const faults = checkViews({
    views: join(ROOT, 'views'),
    models: join(ROOT, 'src/http/html.ts'),
    include: [join(ROOT, 'src/**/*.ts')],
  })
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
