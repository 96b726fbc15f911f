// The payments of one company that are approved from now on, by how many at a time.
import { MINUTE_MS } from '../../database/instant.ts'
import type { EventFeed } from '../../webhooks/events/feed.ts'
import type { EventFollower } from '../../webhooks/events/follower.ts'
import type { EventRow } from '../../webhooks/events/log.ts'
import type { EventPlace } from '../../webhooks/events/order.ts'

type SendApprovals = (payments: number, lastEventId: string) => void

export type ApprovalFollower = ReturnType<typeof followApprovals>

/** `started` says whether there is a beginning, `ended` is fulfilled once it was stopped, or with the feed. */
export function followApprovals(feed: EventFeed, companyId: string, send: SendApprovals) {
  let place: EventPlace | undefined
  const follower = feed.follow(companyId)
  const started = follower.then(({ start }) => {
    place ??= start
  })
  return {
    started,
    ended: follower.then(readAll),
    /** All up to here was sent. */
    getPlace: () => place,
    stop: () => void follower.then((one) => one.stop()).catch(() => {}),
  }

  async function readAll({ next }: EventFollower) {
    for (;;) {
      const found = await next(MINUTE_MS)
      if (found.kind === 'ended') return
      if (found.kind === 'events') sendApprovals(found.events)
    }
  }

  function sendApprovals(events: EventRow[]) {
    place = events.at(-1) ?? place
    const approved = events.filter(({ type }) => type === 'transaction.approved')
    const last = approved.at(-1)
    if (last) send(approved.length, last.id)
  }
}

/** How many more there are; the next connection goes on after that event. */
export function formatNews(payments: number, lastId: string) {
  return `id: ${lastId}\ndata: ${JSON.stringify({ payments, last: lastId })}\n\n`
}
