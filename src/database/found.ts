/** Returns a value that must exist, such as a sum or a referenced row; throws when it is missing. */
export function requireFound<Found>(found: Found | null | undefined): Found {
  if (found === undefined || found === null) throw new Error('A required value is missing')
  return found
}
