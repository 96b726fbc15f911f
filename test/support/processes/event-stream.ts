// A client of `GET /api/events/stream` as Server-Sent Events are specified.
import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

type StreamMessage = { id?: string; event?: string; data?: string; retry?: string }

/** By a key of the API. */
export function openStream(url: string, key: string, lastEventId = '') {
  const after = { ...(lastEventId && { 'last-event-id': lastEventId }) }
  return readStream(url, { authorization: `Bearer ${key}`, ...after })
}

/** Asks and closes the connection before the answer, as a browser does when its page is left. */
export async function askAndLeave(url: string, headers: Record<string, string>) {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host: hostname, ...headers }).map((pair) => pair.join(': '))
  const socket = connect(Number(port), hostname)
  await new Promise<unknown>((resolve) => {
    socket.write([`GET ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n'), resolve)
  })
  socket.destroy()
  await once(socket, 'close')
}

/** Reads from now on; `messages` is what has come so far, but for comments, which are counted. */
async function readStream(url: string, headers: Record<string, string>) {
  const leaving = new AbortController()
  const answer = await fetch(url, { headers, signal: leaving.signal, redirect: 'manual' })
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
      // Closed by `close`, or by the other side.
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
