// A client of `GET /api/events/stream` as Server-Sent Events are specified.
import { onTestFinished } from 'vitest'

export type StreamMessage = { id?: string; event?: string; data?: string; retry?: string }

/** Reads from now on; `messages` is what has come so far, but for comments, which are counted. */
export async function openStream(url: string, key: string, lastEventId = '') {
  const leaving = new AbortController()
  const answer = await fetch(url, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal: leaving.signal,
  })
  onTestFinished(() => leaving.abort())
  const messages: StreamMessage[] = []
  const seen = { heartbeats: 0, isOver: false }
  const reading = answer.ok ? read() : Promise.resolve()
  return { answer, messages, seen, close }

  /** Leaves, and waits until nothing more is read. */
  async function close() {
    leaving.abort()
    await reading
  }

  async function read() {
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer.body ?? []) {
        const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
        rest = parts.pop() ?? ''
        for (const part of parts) note(part)
      }
    } catch {
      // By `close`, or by whoever had it on the other side.
    }
    seen.isOver = true
  }

  function note(part: string) {
    if (part.startsWith(':')) seen.heartbeats++
    else if (!part.startsWith('retry:')) messages.push(parseMessage(part))
  }
}

function parseMessage(part: string): StreamMessage {
  return Object.fromEntries(
    part.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
}
