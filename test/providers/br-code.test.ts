// The codes are read by code that is not ours, as a payer's bank would.
import { getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { createQrDrawer, drawQr } from '../../src/payment-links/qr.ts'
import { buildBrCode, computeCrc16, readMerchantName } from '../../src/providers/br-code.ts'

const KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const testMerchant = { merchantName: 'Loja Exemplo', merchantCity: 'São Paulo', amountCents: 1_990 }
const STATIC =
  '00020126580014br.gov.bcb.pix01367d9f0335-8dcc-4054-9bf9-0dbd61d36906520400005303986540519.905802BR5912LOJA EXEMPLO6009SAO PAULO62280524PL7978c0c97ea847e78e8849630441F3'
const DYNAMIC =
  '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25520400005303986540519.905802BR5912LOJA EXEMPLO6009SAO PAULO62070503***6304C89B'

test('the checksum is CRC16-CCITT-FALSE, in four digits', () => {
  expect(computeCrc16('123456789')).toBe('29B1')
  expect(computeCrc16('')).toBe('FFFF')
  // One text with a checksum that starts with a zero.
  const short = Array.from({ length: 64 }, (_, i) => computeCrc16(String(i))).find(
    (crc) => crc[0] === '0',
  )
  expect(short).toMatch(/^0[0-9A-F]{3}$/)
})

test('a static code is Banco Central’s, byte for byte', () => {
  const code = buildBrCode({ ...testMerchant, key: KEY, txid: 'PL7978c0c97ea847e78e8849' })

  expect(code).toBe(STATIC)
})

test('a dynamic code is single-use and leaves the charge to its location', () => {
  const location = 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25'

  expect(buildBrCode({ ...testMerchant, location })).toBe(DYNAMIC)
  expect(getPixPayloadInfo(DYNAMIC)).toMatchObject({ pointOfInitiation: 'dynamic', url: location })
})

test.each([1_000, 1_990, 1_999, 2_005, 100_000, 12_345_678, 20_000_000])(
  'another decoder reads %i cents, the key, the payee and the id out of a code',
  (amountCents) => {
    const code = buildBrCode({
      ...testMerchant,
      amountCents,
      key: KEY,
      txid: 'PL0123456789abcdefghijklm',
    })

    expect(isValidPixPayload(code)).toBe(true)
    expect(getPixPayloadInfo(code)).toMatchObject({
      key: KEY,
      merchantName: 'LOJA EXEMPLO',
      merchantCity: 'SAO PAULO',
      txid: 'PL0123456789abcdefghijklm',
    })
    expect(Math.round(getPixPayloadInfo(code)!.amount! * 100)).toBe(amountCents)
  },
)

test('a character that changed on the way is noticed', () => {
  const forged = STATIC.replace('19.90', '10.90')

  expect(isValidPixPayload(STATIC)).toBe(true)
  expect(isValidPixPayload(forged)).toBe(false)
})

test.each([
  ['Açougue & Empório João Conceição do Ó', 'ACOUGUE & EMPORIO JOAO CO'],
  ['Loja 🍰 da Bê', 'LOJA DA BE'],
  ['  Padaria\tSol  ', 'PADARIASOL'],
  ['日本', 'NAO INFORMADO'],
  ['A'.repeat(25), 'A'.repeat(25)],
  ['A'.repeat(26), 'A'.repeat(25)],
])('the payee %j reads %j: upper-case ASCII of at most 25', (merchantName, expected) => {
  const code = buildBrCode({ ...testMerchant, merchantName, key: KEY, txid: 'A' })

  expect(isValidPixPayload(code)).toBe(true)
  expect(getPixPayloadInfo(code)).toMatchObject({ merchantName: expected })
})

test('a city has at most 15 characters', () => {
  const code = buildBrCode({
    ...testMerchant,
    merchantCity: 'São José do Rio Preto',
    key: KEY,
    txid: 'A',
  })

  expect(getPixPayloadInfo(code)).toMatchObject({ merchantCity: 'SAO JOSE DO RIO' })
})

test('what does not fit its field is refused, never cut', () => {
  expect(() => buildBrCode({ ...testMerchant, location: 'a'.repeat(78) })).toThrow('longer than 99')
  expect(() => buildBrCode({ ...testMerchant, location: 'a'.repeat(77) })).not.toThrow()
})

test('the picture is black on white with four modules of quiet around it', () => {
  const { dark, size } = raster(drawQr(STATIC))

  const inked = [...dark]
    .map((on, i) => (on ? [i % size, Math.floor(i / size)] : []))
    .filter((at) => at.length)
  const edges = inked.flat() as number[]
  expect(Math.min(...edges)).toBe(4)
  expect(Math.max(...edges)).toBe(size - 5)
  expect(drawQr(STATIC)).toContain('<path fill="#fff"')
})

test('a phone reads the code from its picture, which is drawn once', () => {
  const draw = createQrDrawer()

  expect(draw(STATIC)).toBe(draw(STATIC))
  expect(readQr(draw(DYNAMIC))).toBe(DYNAMIC)
  expect(readQr(draw(STATIC))).toBe(STATIC)
})

const SCALE = 4

function readQr(svg: string) {
  const { dark, size } = raster(svg)
  const side = size * SCALE
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (!dark[Math.floor(y / SCALE) * size + Math.floor(x / SCALE)]) continue
      pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
    }
  }
  return jsQR.default(pixels, side, side)?.data
}

/** Fills the picture's black path: runs of one module's height, `M<x> <y>h<width>v1H<x>z`. */
function raster(svg: string) {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const path = /fill="#000" d="([^"]*)"/.exec(svg)?.[1] ?? ''
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)]
  expect(runs.map(([run]) => run).join('')).toBe(path)
  const dark = new Uint8Array(size * size)
  for (const [, x, y, width, back] of runs) {
    expect(back).toBe(x)
    const from = Number(y) * size + Number(x)
    dark.fill(1, from, from + Number(width))
  }
  return { dark, size }
}

test('the name that a bank will show is read from any writer’s code, and nothing from a text that is no code', () => {
  expect([STATIC, DYNAMIC].map(readMerchantName)).toEqual(['LOJA EXEMPLO', 'LOJA EXEMPLO'])
  for (const code of ['', '00', '5912LOJA', '59-1X', 'LOJA EXEMPLO', '0002015900', '000201']) {
    expect(readMerchantName(code)).toBeNull()
  }
})

test.each(['JOÃO DA SILVA PÃES', 'CAFÉ', 'LOJA EXEMPLO'])(
  'the receiver %s is the one in the code, whether its bank counts characters or bytes',
  (name) => {
    const names = [name.length, Buffer.byteLength(name)].map((length) => {
      const field = `59${String(length).padStart(2, '0')}${name}`
      return readMerchantName(STATIC.replace('5912LOJA EXEMPLO', field))
    })

    expect(names).toEqual([name, name])
  },
)
