// What a page of the dashboard shows, read from its HTML.

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

function toPlainText(inner: string) {
  return inner
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
