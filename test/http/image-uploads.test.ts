// Images that come at once: each is unpacked alone, and more than may wait are sent away.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodeImage } from '../../src/http/image.ts'

const limits = { maxBytes: 5_000_000, stored: { width: 100, height: 100, quality: 80 } }
const create = { width: 800, height: 800, channels: 3, background: '#8a2' } as const
const encode = (bytes: Buffer, companyId = 'padaria') => encodeImage(bytes, limits, companyId)
const png = await sharp({ create }).png().toBuffer()

test('images are unpacked one after the other, however many come', async () => {
  let mostAtOnce = 0
  sharp.queue.on('change', () => {
    const { queue, process } = sharp.counters()
    // Not their sum: one that begins between the two readings would be counted twice.
    mostAtOnce = Math.max(mostAtOnce, queue, process)
  })

  const encoded = await Promise.all(
    Array.from({ length: 16 }, (_, i) => encode(png, `company ${i % 4}`)),
  )
  sharp.queue.removeAllListeners('change')

  expect(new Set(encoded.map(({ kind }) => kind))).toEqual(new Set(['encoded']))
  expect(mostAtOnce).toBe(1)
})

test('sixteen images wait at most, four of a company, and another may once they were read', async () => {
  const busy = { statusCode: 503, headers: { 'retry-after': '5' } }
  const companies = Array.from({ length: 16 }, (_, i) => `company ${i % 4}`)

  for (const [senders, refused] of [
    [companies, 'another'],
    [Array(4).fill('padaria'), 'padaria'],
  ] as const) {
    const waiting = senders.map((sender) => encode(png, sender))
    await expect(encode(png, refused)).rejects.toMatchObject(busy)
    await Promise.all(waiting)
  }
  expect(await encode(png)).toMatchObject({ kind: 'encoded' })
})

test.each([
  [4096, 'plain', 'encoded'],
  [2896, 'rgb16', 'encoded'],
  [2897, 'rgb16', 'too_heavy'],
  [2896, 'interlaced', 'encoded'],
  [2897, 'interlaced', 'too_heavy'],
  [2049, 'both', 'too_heavy'],
])('a PNG of %d pixels a side, %s, is %s', async (side, how, outcome) => {
  const square = sharp({ create: { ...create, width: side, height: side } })
  const deep = how === 'rgb16' || how === 'both' ? square.toColourspace('rgb16') : square
  const bytes = await deep.png({ progressive: how === 'interlaced' || how === 'both' }).toBuffer()

  const { kind, ...rest } = await encode(bytes)

  expect('reason' in rest ? rest.reason : kind).toBe(outcome)
})

test('nothing of an image is kept in memory once it was read', async () => {
  await encode(png)

  // What another thread still holds goes in a moment.
  await expect
    .poll(() => sharp.cache())
    .toMatchObject({ memory: { current: 0 }, items: { current: 0 } })
})
