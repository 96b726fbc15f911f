// How a payer can be reached.

export const EMAIL_PATTERN = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+\.[^\s@.<>"(),:;]{2,}$/
const PHONE_PATTERN = /^(?:\+?55)?([1-9]\d9\d{8}|[1-9]\d[2-5]\d{7})$/

/** Area code and number, digits alone, or undefined when nobody in Brazil can be called by it. */
export function parsePhone(text: string): string | undefined {
  return text.replace(/[\s().-]/g, '').match(PHONE_PATTERN)?.[1]
}
