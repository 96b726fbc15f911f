// A client of thirty lines over `fetch`, typed by whatever openapi-typescript generated.

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Made<T> = T extends { responses: infer Answers }
  ? Json<Answers[keyof Answers & (200 | 201 | 202)]>
  : never
type Sent<T> = T extends { requestBody: infer Body } ? { body: Json<Body> } : object
type Asked<T, Place extends 'path' | 'query'> = T extends { parameters: infer Parameters }
  ? Parameters extends Record<Place, infer Values extends object>
    ? Record<Place, Values>
    : Parameters extends Partial<Record<Place, infer Values>>
      ? Partial<Record<Place, NonNullable<Values>>>
      : object
  : object

type Method = 'get' | 'post' | 'patch' | 'delete'
type Input = { path?: object; query?: object; body?: unknown; headers?: Record<string, string> }

/** `call('/api/payment-links', 'post', { body: … })`: path, query, body and answer as documented. */
export function clientFor<Paths extends object>(baseUrl: string, key: string) {
  return async function call<
    Path extends keyof Paths & string,
    Verb extends keyof Paths[Path] & Method,
  >(
    path: Path,
    method: Verb,
    input: Sent<Paths[Path][Verb]> &
      Asked<Paths[Path][Verb], 'path'> &
      Asked<Paths[Path][Verb], 'query'> & { headers?: Record<string, string> },
  ): Promise<Made<Paths[Path][Verb]>> {
    const { path: names = {}, query = {}, body, headers } = input as Input
    const address = Object.entries(names).reduce(
      (made, [name, value]) => made.replace(`{${name}}`, encodeURIComponent(String(value))),
      path as string,
    )
    const search = new URLSearchParams(query as Record<string, string>)
    const response = await fetch(`${baseUrl}${address}?${search}`, {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = response.status === 204 ? undefined : await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
    return answer as Made<Paths[Path][Verb]>
  }
}
