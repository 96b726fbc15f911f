// Addresses of the checkout, as its own pages link to each other. A name that was only asked for stays one part.

export type Mounted = { mount: string }

export function linkPath({ mount }: Mounted, slug: string) {
  return `${mount}/${encodeURIComponent(slug)}`
}

/** The form again, for another payment than those that its payer knows of, which were made until that instant. */
export function newPaymentPath(needs: Mounted, slug: string, knownUntil: Date) {
  return `${linkPath(needs, slug)}?new=${knownUntil.getTime()}`
}

export function reportPath(needs: Mounted, slug: string) {
  return `${linkPath(needs, slug)}/report`
}

export function paymentPath(needs: Mounted, slug: string, token: string) {
  return `${linkPath(needs, slug)}/payments/${encodeURIComponent(token)}`
}
