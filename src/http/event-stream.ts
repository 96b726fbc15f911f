// The head of an answer of server-sent events, as the HTML standard has them.

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would keep what it has until there is more of it.
  'x-accel-buffering': 'no',
  // When it ends, so does the connection: an idle one would hold up a process that closes.
  connection: 'close',
}
