// Pix "copia e cola": EMV QRCPS-MPM in Banco Central's BR Code profile (Manual do BR Code).

const GUI = 'br.gov.bcb.pix'
const MAX_BR_CODE_LENGTH = 512
const MERCHANT_NAME = '59'

type BrCodeInput = {
  merchantName: string
  merchantCity: string
  amountCents: number
} & (
  | { /** Static: a Pix key. */ key: string /** 1–25 of `[A-Za-z0-9]` */; txid: string }
  | {
      /** Dynamic: where the payer's bank fetches the charge, without `https://`. */ location: string
    }
)

/** Throws when a part is too long: its length has two digits, and the code 512 characters in all. */
export function buildBrCode(code: BrCodeInput): string {
  const dynamic = 'location' in code
  const account = dynamic ? encodeField('25', code.location) : encodeField('01', code.key)
  const body = [
    encodeField('00', '01'),
    dynamic ? encodeField('01', '12') : '',
    encodeField('26', encodeField('00', GUI) + account),
    encodeField('52', '0000'),
    encodeField('53', '986'),
    encodeField('54', formatDecimal(code.amountCents)),
    encodeField('58', 'BR'),
    encodeField(MERCHANT_NAME, toBrCodeText(code.merchantName, 25)),
    encodeField('60', toBrCodeText(code.merchantCity, 15)),
    encodeField('62', encodeField('05', dynamic ? '***' : code.txid)),
    '6304',
  ].join('')
  if (body.length + 4 > MAX_BR_CODE_LENGTH)
    throw new Error('The BR Code is longer than 512 characters')
  return body + computeCrc16(body)
}

/**
 * Reads the receiver's name, which the payer's bank shows; null for an invalid code. Lengths count characters, but some
 * banks count bytes, and a letter with an accent has two.
 */
export function readMerchantName(code: string) {
  const bytes = Buffer.from(code).toString('latin1')
  const name =
    findField(code, MERCHANT_NAME) ??
    Buffer.from(findField(bytes, MERCHANT_NAME) ?? '', 'latin1').toString()
  return name.trim() || null
}

/** Undefined when a part of the code is invalid. */
function findField(code: string, id: string) {
  let found: string | undefined
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4))
    const value = code.slice(at + 4, at + 4 + length)
    if (!Number.isInteger(length) || value.length !== length) return undefined
    if (code.startsWith(id, at)) found ??= value
    at += 4 + length
  }
  return found
}

/** Formats 1990 as `19.90`, only with integers. */
export function formatDecimal(cents: number) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** CRC16-CCITT-FALSE: polynomial 0x1021, initial 0xFFFF, as four upper-case hex digits. */
export function computeCrc16(text: string) {
  let crc = 0xffff
  for (const byte of Buffer.from(text))
    crc = ((crc << 8) & 0xff00) ^ getCrcOfByte((crc >> 8) ^ byte)
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

function getCrcOfByte(byte: number) {
  return CRC_OF_BYTE[byte] ?? 0
}

const CRC_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

function encodeField(id: string, value: string) {
  if (value.length > 99) throw new Error(`BR Code field ${id} is longer than 99 characters`)
  return id + String(value.length).padStart(2, '0') + value
}

/** Banks' apps disagree on UTF-8 and lower case, so it is upper-case ASCII without accents. */
function toBrCodeText(text: string, max: number) {
  const ascii = text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return ascii.toUpperCase().slice(0, max).trim() || 'NAO INFORMADO'
}
