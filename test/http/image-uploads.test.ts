// Images that come at once: each is unpacked alone, and more than may wait are sent away.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { encodeImage } from '../../src/http/uploads/image.ts'

const limits = { maxBytes: 5_000_000, stored: { width: 100, height: 100, quality: 80 } }
const create = { width: 800, height: 800, channels: 3, background: '#8a2' } as const
const png = await sharp({ create }).png().toBuffer()

test('images are unpacked one after the other, however many come', async () => {
  let mostAtOnce = 0
  sharp.queue.on('change', () => {
    const { queue, process } = sharp.counters()
    // Not their sum: one that begins between the two readings would be counted twice.
    mostAtOnce = Math.max(mostAtOnce, queue, process)
  })

  const encoded = await Promise.all(Array.from({ length: 16 }, () => encodeImage(png, limits)))
  sharp.queue.removeAllListeners('change')

  expect(new Set(encoded.map(({ kind }) => kind))).toEqual(new Set(['encoded']))
  expect(mostAtOnce).toBe(1)
})

test('sixteen images wait at most, and another may once they were read', async () => {
  const waiting = Array.from({ length: 16 }, () => encodeImage(png, limits))

  const refused = encodeImage(png, limits)

  await expect(refused).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
  await Promise.all(waiting)
  expect(await encodeImage(png, limits)).toMatchObject({ kind: 'encoded', width: 100 })
})

test('nothing of an image is kept in memory once it was read', async () => {
  await encodeImage(png, limits)

  // What another thread still holds goes in a moment.
  await expect
    .poll(() => sharp.cache())
    .toMatchObject({ memory: { current: 0 }, items: { current: 0 } })
})
