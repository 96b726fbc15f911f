// Reads what a page of the dashboard shows from its HTML.

/** The rows of its first table, each with its words. */
export function readTableRows(html: string) {
  const table = html.slice(html.indexOf('<tbody>'), html.indexOf('</table>'))
  return [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => toPlainText(cell!)),
  )
}

/** Where the link with these words leads, or undefined. */
export function findLinkHref(html: string, words: string) {
  const links = [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)]
  const [, href] = links.find(([, , inner]) => toPlainText(inner!) === words) ?? []
  return href?.replaceAll('&amp;', '&')
}

/** What stands between an element with this class and its end. */
export function readTextsByClass(html: string, className: string) {
  const found = html.matchAll(new RegExp(`class="${className}"[^>]*>([\\s\\S]*?)</`, 'g'))
  return [...found].map(([, inner]) => toPlainText(inner!))
}

/** The form that is sent to this address, as a browser would send it back; without its token. */
export function readFormFields(html: string, action: string) {
  const start = html.search(new RegExp(`<form[^>]* method="post"[^>]* action="${action}"`))
  const form = html.slice(start, html.indexOf('</form>', start))
  const fields: Record<string, string[]> = {}
  const add = (name: string | undefined, value = '') => {
    if (name && name !== '_csrf') fields[name] = [...(fields[name] ?? []), unescapeText(value)]
  }
  for (const [tag] of form.matchAll(/<input\s[^>]*>/g)) {
    const off = /type="(radio|checkbox)"/.test(tag) && !/\schecked\b/.test(tag)
    if (!off) add(tag.match(/\sname="([^"]*)"/)?.[1], tag.match(/\svalue="([^"]*)"/)?.[1])
  }
  for (const [, name, text] of form.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>([^<]*)</g)) {
    add(name, text!.replaceAll('\n', '\r\n'))
  }
  for (const [, name, options] of form.matchAll(/<select[^>]*name="(\w+)"[^>]*>([\s\S]*?)<\/s/g)) {
    add(name, options!.match(/value="([^"]*)" selected/)?.[1])
  }
  return fields
}

function unescapeText(text: string) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function toPlainText(inner: string) {
  return inner
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
