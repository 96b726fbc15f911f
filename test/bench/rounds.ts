// Drives both programs by autocannon in alternating rounds, so that whatever else this machine does meets both. A ratio
// is the median of those of neighbouring rounds.
import autocannon from 'autocannon'
import type { RequestsOf, Side, Work } from './works.ts'

/** How exactly autocannon ends a round. */
const SAMPLE_MS = 50
const WARM_UP = { amount: 2_500 }

export type Plan = { connections: number; roundS: number; pairs: number }
type Round = Awaited<ReturnType<typeof sendLoad>>

export async function compareSpeed(
  { status, requests }: Work,
  urls: Record<Side, string>,
  { connections, roundS, pairs }: Plan,
) {
  const rounds: Record<Side, Round[]> = { service: [], control: [] }
  const drive = (side: Side, until: Until) =>
    sendLoad(urls[side], { requests: requests[side], status, connections, until })

  await drive('control', WARM_UP)
  await drive('service', WARM_UP)
  for (let pair = 0; pair < pairs; pair++) {
    const order: Side[] = pair % 2 === 0 ? ['control', 'service'] : ['service', 'control']
    for (const side of order) rounds[side].push(await drive(side, { duration: roundS }))
  }

  const ratios = rounds.service.map((round, i) => round.perSecond / rounds.control[i]!.perSecond)
  const atOf = (side: Side) => pickShare(rounds[side].flatMap(({ latenciesMs }) => latenciesMs))
  return {
    ratio: pickShare(ratios)(0.5),
    range: [Math.min(...ratios), Math.max(...ratios)] as const,
    perSecond: pickShare(rounds.service.map(({ perSecond }) => perSecond))(0.5),
    p50: atOf('service')(0.5),
    p99: atOf('service')(0.99),
    errors: [...rounds.service, ...rounds.control].reduce((sum, { errors }) => sum + errors, 0),
  }
}

type Until = { amount: number } | { duration: number }
type Load = { requests: RequestsOf; status: number; connections: number; until: Until }

/** So many connections; each sends its next request as soon as the last was answered. */
export async function sendLoad(url: string, { requests, status, connections, until }: Load) {
  const latenciesMs: number[] = []
  let wrong = 0
  const { errors, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    let opened = 0
    const setupClient = (client: autocannon.Client) =>
      client.setRequests(requests(opened++, connections))
    const load = autocannon(
      { url, connections, setupClient, sampleInt: SAMPLE_MS, ...until },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    load.on('response', (_client, code, _bytes, ms) => {
      if (code === status) latenciesMs.push(ms)
      else wrong++
    })
  })
  return { perSecond: latenciesMs.length / duration, latenciesMs, errors: wrong + errors }
}

/** The value that so much of them all lie below. */
export function pickShare(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  return (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}
