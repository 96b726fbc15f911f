// The tags of a link in its form, separated by commas. A tag from the API may contain commas.

export function joinTags(tags: readonly string[]) {
  return tags.join(', ')
}

/** @param known the present tags of the link, which are kept whole even with commas */
export function splitTags(typed: string, known: readonly string[]) {
  const whole = known
    .filter((tag) => tag.includes(','))
    .map((tag) => ({ tag, parts: splitAtCommas(tag) }))
    .toSorted((a, b) => b.parts.length - a.parts.length)
  const parts = splitAtCommas(typed)
  const tags: string[] = []
  for (let at = 0; at < parts.length; ) {
    const one = whole.find((other) => beginsWith(parts.slice(at), other.parts))
    tags.push(one?.tag ?? parts[at] ?? '')
    at += one?.parts.length ?? 1
  }
  return tags
}

function beginsWith(parts: readonly string[], wanted: readonly string[]) {
  return wanted.length > 0 && wanted.every((part, at) => parts[at] === part)
}

function splitAtCommas(text: string) {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}
