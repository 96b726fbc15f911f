// The device of a session in words: `Chrome no Android`. Browsers name each other in their user agent,
// so that of those found the first is the one.
import { deviceTexts } from './texts.ts'

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

export function describeDevice(userAgent: string) {
  const { device, browser: anyBrowser, unknownDevice } = deviceTexts
  const [browser, system] = [
    matchUserAgent(BROWSERS, userAgent),
    matchUserAgent(SYSTEMS, userAgent),
  ]
  if (system) return device(browser ?? anyBrowser, system)
  return browser ?? unknownDevice
}

function matchUserAgent(known: [RegExp, string][], userAgent: string) {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1]
}
