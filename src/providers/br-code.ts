// Pix "copia e cola": EMV QRCPS-MPM in Banco Central's BR Code profile (Manual do BR Code).

const GUI = 'br.gov.bcb.pix'
const MAX_LENGTH = 512

type BrCode = {
  merchantName: string
  merchantCity: string
  amountCents: number
} & (
  | { /** Static: a Pix key. */ key: string /** 1–25 of `[A-Za-z0-9]` */; txid: string }
  | {
      /** Dynamic: where the payer's bank fetches the charge, without `https://`. */ location: string
    }
)

/** Throws when a part is too long for its field: two digits of length, 512 characters in all. */
export function brCode(code: BrCode): string {
  const dynamic = 'location' in code
  const account = dynamic ? field('25', code.location) : field('01', code.key)
  const body = [
    field('00', '01'),
    dynamic ? field('01', '12') : '',
    field('26', field('00', GUI) + account),
    field('52', '0000'),
    field('53', '986'),
    field('54', decimal(code.amountCents)),
    field('58', 'BR'),
    field('59', plain(code.merchantName, 25)),
    field('60', plain(code.merchantCity, 15)),
    field('62', field('05', dynamic ? '***' : code.txid)),
    '6304',
  ].join('')
  if (body.length + 4 > MAX_LENGTH) throw new Error('The BR Code is longer than 512 characters')
  return body + crc16(body)
}

/** 1990 → `19.90`, by integers alone. */
export function decimal(cents: number) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** CRC16-CCITT-FALSE: polynomial 0x1021, initial 0xFFFF, as four upper-case hex digits. */
export function crc16(text: string) {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  }
  return (crc & 0xffff).toString(16).toUpperCase().padStart(4, '0')
}

function field(id: string, value: string) {
  if (value.length > 99) throw new Error(`BR Code field ${id} is longer than 99 characters`)
  return id + String(value.length).padStart(2, '0') + value
}

/** Banks' apps differ on UTF-8 and on lower case: upper-case ASCII, without accents. */
function plain(text: string, max: number) {
  const ascii = text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return ascii.toUpperCase().slice(0, max).trim() || 'NAO INFORMADO'
}
