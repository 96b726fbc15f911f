// Images that come at once: each is unpacked alone, and more than may wait are sent away.
import { crc32 } from 'node:zlib'
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

test('as many pixels as are taken are taken', async () => {
  const plain = sharp({ create: { ...create, width: 4096, height: 4096 } })

  expect(await encode(await plain.png({ compressionLevel: 1 }).toBuffer())).toMatchObject({
    kind: 'encoded',
  })
})

/** A PNG with the data of ten pixels a side, and a head that claims more. */
async function claimPng(side: number, how: string) {
  const small = sharp({ create: { ...create, width: 10, height: 10 } })
  const deep = /16/.test(how) ? small.toColourspace('rgb16') : small
  const bytes = await deep.png({ progressive: /interlaced/.test(how) }).toBuffer()
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

test.each([
  ['8 bits', 4096, 4097, 'too_wide'],
  ['16 bits', 2896, 2897, 'too_heavy'],
  ['interlaced', 2896, 2897, 'too_heavy'],
  ['interlaced 16 bits', 2048, 2049, 'too_heavy'],
])(
  'of a PNG of %s %i pixels a side are unpacked, and %i are %s',
  async (how, most, more, reason) => {
    const encoded = [
      await encode(await claimPng(most, how)),
      await encode(await claimPng(more, how)),
    ]

    expect(encoded).toMatchObject([{ reason: 'unreadable' }, { reason }])
  },
)

test('nothing of an image is kept in memory once it was read', async () => {
  await encode(png)

  // What another thread still holds goes in a moment.
  await expect
    .poll(() => sharp.cache())
    .toMatchObject({ memory: { current: 0 }, items: { current: 0 } })
})
