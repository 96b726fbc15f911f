/** What a query must have found, such as a sum, or a row that others point at; throws where it is missing. */
export function requireFound<Found>(found: Found | null | undefined): Found {
  if (found === undefined || found === null) throw new Error('What has to be there was not found')
  return found
}
