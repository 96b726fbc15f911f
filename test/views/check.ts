// `npm run check:types`: all of TypeScript, and every view against its model (Views in src/http/html.ts). Both are one
// program of the compiler, because each of two would check all of src.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
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

/** What TypeScript has against the views and `include`, a line each: `views/dashboard/home/home.eta:12: error …`. */
export function checkTypes({ views, models, include = [] }: Checked) {
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
    compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
    include: ['**/*.ts', ...include],
  }
}

function write(folder: string, file: string, text: string) {
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

function runCompiler(folder: string): string[] {
  try {
    // Several threads take twice the time of the processor, and no less of the clock where there are two cores.
    const options = ['-p', folder, '--pretty', 'false', '--singleThreaded']
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), options, { cwd: ROOT })
    return []
  } catch (error) {
    const { stdout } = error as { stdout: Buffer }
    return stdout
      .toString()
      .split('\n')
      .map((line) => line.replace(`${relative(ROOT, folder)}/`, 'views/'))
      .map((line) => line.replace(/^(views\/\S+)\.ts\((\d+),\d+\)/, '$1.eta:$2'))
      .filter((line) => line !== '' && !UNUSED_IN_VIEW.test(line))
  }
}

/** What is made of a view has all that a view may use. */
const UNUSED_IN_VIEW = /^views\/\S+\.eta:\d+: error TS61(33|96|98):/

if (import.meta.main) {
  const faults = checkTypes({
    views: join(ROOT, 'views'),
    models: join(ROOT, 'src/http/html.ts'),
    include: ['src', 'test', '*.config.ts'].map((part) => join(ROOT, part)),
  })
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
