// The address of a bank's page for 3-D Secure that is posted to: its form's fields stand in the fragment, so that a
// payment keeps one text. A page without fields is opened as it is.

const MARK = '#post:'

export type BankStep = { url: string; fields: [name: string, value: string][] }

export function formatBankStep({ url, fields }: BankStep) {
  if (fields.length === 0) return url
  return `${url.replace(/#.*/s, '')}${MARK}${new URLSearchParams(fields)}`
}

export function parseBankStep(address: string): BankStep {
  const at = address.indexOf(MARK)
  if (at < 0) return { url: address, fields: [] }
  const fields = [...new URLSearchParams(address.slice(at + MARK.length))]
  return { url: address.slice(0, at), fields }
}
