// The scanners, each on the whole of what it is for; what they find, as lines to be read.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import type { ScannedRequest } from './requests.ts'

const runFile = promisify(execFile)
const TOOL_TIMEOUT_MS = 300_000
const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024

const WAPITI_MODULES =
  'blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,' +
  'shellshock,sql,xss,xxe'
/** What wapiti says of every page, and why it is none. */
const ACCEPTED: [finding: RegExp, because: string][] = [
  [
    /^Cross Site Request Forgery: /,
    'no session yet; other sites are refused by Origin and Sec-Fetch-Site',
  ],
  [/X-XSS-Protection is not set/, 'browsers have dropped it; the policy forbids inline scripts'],
  [
    /Strict-Transport-Security is not set|Secure flag is not set/,
    'set where BASE_URL is https, as tests say',
  ],
]

type WapitiFinding = { method: string; path: string; parameter: string | null; info: string }
type WapitiReport = Record<'vulnerabilities' | 'anomalies', Record<string, WapitiFinding[]>>

/** Crawls from these pages, fills in every form that it finds and looks at what comes back. */
export async function runWapiti(baseUrl: string, pages: readonly string[]): Promise<string[]> {
  return withFolder(async (folder) => {
    const report = join(folder, 'report.json')
    await runFile(
      'wapiti',
      [
        ...['-u', `${baseUrl}/`, '--scope', 'domain', '-d', '2', '-m', WAPITI_MODULES],
        ...pages.flatMap((page) => ['-s', baseUrl + page]),
        ...['--max-scan-time', '30', '--max-attack-time', '20', '--max-links-per-page', '30'],
        ...['--store-session', folder, '--flush-session', '--no-bugreport', '-v', '0'],
        ...['-f', 'json', '-o', report],
      ],
      { timeout: TOOL_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
    )
    // As this tool writes it.
    const { vulnerabilities, anomalies } = JSON.parse(readFileSync(report, 'utf8')) as WapitiReport
    return [...Object.entries(vulnerabilities), ...Object.entries(anomalies)]
      .flatMap(([kind, found]) =>
        found.map(({ method, path, parameter, info }) =>
          [`${kind}: ${method} ${path}`, parameter, info].filter(Boolean).join(' '),
        ),
      )
      .filter((line) => !ACCEPTED.some(([finding]) => finding.test(line)))
  })
}

/** Whatever it does not clear in so many words counts as found. */
export async function runSqlmap(
  baseUrl: string,
  { path, body, headers = [] }: ScannedRequest,
): Promise<string[]> {
  return withFolder(async (folder) => {
    const { stdout } = await runFile(
      'sqlmap',
      [
        ...['-u', baseUrl + path, ...(body === undefined ? [] : ['--data', body])],
        ...headers.flatMap((header) => ['-H', header]),
        ...['--batch', '--disable-coloring', '--level=2', '--risk=1', '--threads=4'],
        ...['--ignore-code=*', '--skip=user-agent,referer,host', '--output-dir', folder],
      ],
      { timeout: TOOL_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
    )
    if (/all tested parameters do not appear to be injectable/.test(stdout)) return []
    const said = stdout
      .split('\n')
      .filter((line) => /CRITICAL|identified|vulnerable|ERROR/.test(line))
    return [`sqlmap: ${path}: ${said.join(' ') || stdout.slice(-500)}`]
  })
}

const SLOW_CONNECTIONS = 1_000
const SLOW_S = 20
const SLOW_MODES = { headers: '-H', body: '-B', reading: '-X' }

/** A thousand connections that trickle, while another client is answered within three seconds. */
export async function runSlowHttp(
  baseUrl: string,
  path: string,
  mode: keyof typeof SLOW_MODES,
): Promise<string[]> {
  const { stdout } = await runFile(
    'slowhttptest',
    [
      ...[SLOW_MODES[mode], '-u', baseUrl + path, '-c', `${SLOW_CONNECTIONS}`, '-r', '200'],
      ...['-i', '5', '-l', `${SLOW_S}`, '-p', '3', '-s', '16384', '-x', '32'],
    ],
    { timeout: TOOL_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
  )
  const answers = [...stripVTControlCharacters(stdout).matchAll(/service available:\s+(YES|NO)/g)]
  const isUp = answers.length > 0 && answers.every(([, answer]) => answer === 'YES')
  return isUp ? [] : [`slowhttptest: ${path}: slow ${mode} shut others out`]
}

async function withFolder<Result>(work: (folder: string) => Promise<Result>) {
  const folder = mkdtempSync(join(tmpdir(), 'vintem-scan-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
