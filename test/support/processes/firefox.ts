// Firefox from the machine, spoken to by WebDriver BiDi: Debian's own, not one that Playwright has patched.
import { existsSync } from 'node:fs'
import { type Browser, firefox } from 'playwright-core'
import type { TestContext } from 'vitest'

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

const PREFERENCES = {
  // Lets a test read what a page has copied, without a question that has to be answered.
  'dom.events.testing.asyncClipboard': true,
  'app.update.auto': false,
  'datareporting.policy.dataSubmissionEnabled': false,
}

/** Playwright asks for it in every tab; Firefox has no such command, and shows what its preferences say. */
const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride'

/** Skips the test where there is no Firefox; in CI that is a failure. */
export function needFirefox({ skip }: TestContext) {
  if (existsSync(FIREFOX)) return
  const said = `No Firefox at ${FIREFOX}: install firefox-esr, or name another by FIREFOX`
  if (process.env.CI === 'true') throw new Error(said)
  skip(said)
}

export async function launchFirefox() {
  const browser = await firefox.launch({
    ...{ channel: 'moz-firefox', executablePath: FIREFOX },
    firefoxUserPrefs: PREFERENCES,
  })
  leaveOutUnknownCommand(browser)
  return browser
}

type Send = (method: string, params?: object) => Promise<unknown>

/** Playwright runs in this process, and lets itself be reached behind its types. */
type Inside = {
  _connection: { toImpl(browser: Browser): { _browserSession: { send: Send } } }
}

function leaveOutUnknownCommand(browser: Browser) {
  const { _connection } = browser as unknown as Inside
  const sessions = Object.getPrototypeOf(_connection.toImpl(browser)._browserSession) as {
    send: Send
  }
  const { send } = sessions
  sessions.send = function (method, params) {
    return method === UNKNOWN_COMMAND ? Promise.resolve({}) : send.call(this, method, params)
  }
}
