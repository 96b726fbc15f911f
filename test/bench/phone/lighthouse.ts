// Lighthouse as npx brings it: a tool of its own, no dependency of ours.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { CHROMIUM, CHROMIUM_FLAGS } from '../../support/processes/browser.ts'

const VERSION = '13.5.0'
const LIMIT_MS = 180_000
const MAX_REPORT_BYTES = 32 * 1_024 ** 2
const AUDITS = {
  'first-contentful-paint': 'FCP',
  'largest-contentful-paint': 'LCP',
  'total-blocking-time': 'TBT',
  'cumulative-layout-shift': 'CLS',
  'total-byte-weight': 'weight',
}

type Report = {
  categories: { performance: { score: number } }
  audits: Record<string, { displayValue?: string }>
}

/** One line of what it says of a page's performance on its own phone, or why it says nothing. */
export async function runLighthouse(url: string) {
  const flags = ['--headless=new', ...CHROMIUM_FLAGS].join(' ')
  const options = ['--output=json', '--quiet', '--no-enable-error-reporting']
  const args = [url, ...options, '--only-categories=performance', `--chrome-flags=${flags}`]
  try {
    const { stdout } = await promisify(execFile)(
      'npx',
      ['--yes', `lighthouse@${VERSION}`, ...args],
      {
        env: { ...process.env, CHROME_PATH: CHROMIUM },
        timeout: LIMIT_MS,
        maxBuffer: MAX_REPORT_BYTES,
      },
    )
    const { categories, audits } = JSON.parse(stdout) as Report
    const values = Object.entries(AUDITS).map(
      ([id, name]) => `${name} ${audits[id]?.displayValue ?? '?'}`,
    )
    const score = Math.round(categories.performance.score * 100)
    return `Lighthouse ${VERSION}: performance ${score}; ${values.join(', ')}`
  } catch (error) {
    return `Lighthouse ${VERSION} did not run: ${String(error).slice(0, 500)}`
  }
}
