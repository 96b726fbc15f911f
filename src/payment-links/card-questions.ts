// Detects texts that ask a payer for card data, in Portuguese, English or Spanish: number, expiry date, security
// code or password. Accents, case and punctuation are ignored.

/** `Número do cartão fidelidade`, `cartão de visita` and `loyalty card` are no payment cards. */
const OTHER_KINDS = [
  'fidelidade|fidelidad|visitas?|presente|regalo|vacina|vacinacao|vacunacion|estacionamento|embarque|acesso|acceso',
  'sus|nacional|saude|sanitari[ao]|plano|convenio|cidadao|socio|socia|associado|membro|cliente|estudante|estudiante',
  'aluno|aluna|passe|bilhete|universitario|aniversario|cumpleanos|postal|natal|navidad|agradecimento|felicitacion|ponto|transporte|onibus',
  'memoria|cnpj|confirmacao|resposta|presentacion|apresentacao|identidade|identidad|loja|biblioteca|mensagem|mensaje',
].join('|')
const OTHER_CARDS = new RegExp(
  `\\b(?:cartao|tarjeta)(?: (?:d[aeo]s?|del|la|su|seu|com|con))* ?(?:${OTHER_KINDS})\\b|` +
    '\\b(?:loyalty|gift|greeting|birthday|business|member|membership|library|id|identity|health|insurance|boarding|student|postal|score|report|sim|memory)[ ]?card\\b',
  'g',
)

/** `… do portão` belongs to no card; `… do seu cartão`, `… del reverso` and `… (3 dígitos)` do. */
const OF_NO_OTHER =
  '(?! (?:d(?:[aeo]s?|el)|of|for) (?:(?:la|su|seu|sua|meu|the|your) )*(?!la|su|seu|sua|meu|the|your|cartao|tarjeta|card|credito|debito|credit|debit|verso|reverso|tras|pagamento|pago|payment|compra|\\d))'
const SAFETY = '(?:seguranca|seguridad|seg)'
const FEW = '(?:[346]|tres|quatro|seis|cuatro|three|four|six)'
const SIXTEEN = '(?:16|dezesseis|dieciseis|sixteen)'
const DIGITS = '(?:digitos?|numeros?|digits?|numbers?)'
const ASKING =
  '(?:(?:os|los|the|a|la|seus|sus|sua|su|your|todos|all|digite|informe|enter|card|cc|credit|data|date) )*'
const CODES = [
  '\\b(?:cvv|cvc|cvn|cvd|cav|ccv|csc)\\d?\\b',
  // CID only alone: with more words it is the code of a disease in Brazil.
  '^cid$',
  `(?:cod|codigo|digitos?|numeros?)(?: ?de)? ?${SAFETY}\\b(?! social)${OF_NO_OTHER}`,
  `(?<!\\b(?:social|gate|door|alarm|building|house) )\\bsecurity ?(?:code|number|no|digits)\\b${OF_NO_OTHER}`,
  `\\b(?:${FEW} ${DIGITS}|digitos|digits)\\b.*\\b(?:verso|reverso|atras|tras|back)\\b`,
  `\\b(?:senha|contrasena|clave|password|pin)(?: (?:de|of|con|com))? ${FEW} ${DIGITS}\\b${OF_NO_OTHER}`,
  `\\b${FEW} digit (?:pin|password|code)\\b`,
  `^${ASKING}${SIXTEEN} ${DIGITS}(?: (?:da|del|on|of)(?: the)? (?:frente|front))?$`,
  '^track ?2$|\\btrack ?[12] data\\b',
  '\\b(?:card|cc) ?no\\b(?! [a-z])',
]
const CODE = new RegExp(CODES.join('|'))
const GOOD_UNTIL = new RegExp(
  [
    '\\b(?:valid|good) thru\\b|(?:validade|vencimento|vencimiento|caducidad|expir\\w*).* mm ?(?:aa|yy)',
    `^${ASKING}mm ?(?:aa|yy){1,2}$`,
    `^${ASKING}(?:exp(?:iry|iration)? ?date|date of (?:expiry|expiration))\\b${OF_NO_OTHER}`,
    `^${ASKING}(?:expiration|expiry)$`,
    `^${ASKING}(?:data|fecha) ?(?:de ?)?(?:caducidad|expiracao|expiracion)\\b${OF_NO_OTHER}`,
  ].join('|'),
)
/** `Pan` means bread, and `Banco PAN` is a bank. */
const CARDS_NAME = /^\P{L}*PAN\P{L}*$/u
const CARD = '(?:cartao|tarjeta|card|cc)'
const PARTS = [
  'numeros?|numeracao|num|nro|nr|n|number|digitos|digits',
  'validade|valido|vence|vencimento|vencimiento|caducidad|vigencia|expira\\w*|expir(?:y|es|ation)|exp',
  'pan|cid|senha|pin|password|passcode|contrasena|clave|codigo|cod|code|cvv|cvc|dados|datos|details|verification',
].join('|')
/** The parts of a card near the word card, with words between them or written together. */
const PART_OF_CARD = new RegExp(
  `\\b(?:${PARTS})\\b.*\\b${CARD}\\b|\\b${CARD}\\b.*\\b(?:${PARTS})\\b|` +
    `\\b(?:${PARTS})(?:d[aeo]|del?|dela)?${CARD}|${CARD}(?:${PARTS})\\b`,
)
/** The last digits are on receipts and cannot be used to pay. */
const LAST_DIGITS = /\b(?:ultim[ao]s|last|finais|finales)\b/

/** Cyrillic and Greek letters that look like Latin ones. */
const LOOK_ALIKES = 'АВСЕНІЈКМОРЅТХѴавсеһіјкморѕтухѵԁΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχ'
const LATIN = 'ABCEHIJKMOPSTXVabcehijkmopstyxvdABEZHIKMNOPTYXaikvoptux'

export function asksForCardData(asking: string) {
  const text = replaceLookAlikes(asking)
  if (CARDS_NAME.test(text.normalize('NFKC'))) return true
  const asked = toPlainWords(text).replaceAll(OTHER_CARDS, ' ')
  if (CODE.test(asked) || GOOD_UNTIL.test(asked)) return true
  return PART_OF_CARD.test(asked) && !LAST_DIGITS.test(asked)
}

function replaceLookAlikes(text: string) {
  return text.replace(/[\u0370-\u052f]/g, (letter) => LATIN[LOOK_ALIKES.indexOf(letter)] ?? letter)
}

/** Turns `N.º do Cartão` into `numero do cartao`, and `C.V.V.` into `cvv`. */
function toPlainWords(text: string) {
  return text
    .replace(/№|\bn[o.]?[.º°˚ᵒ]+/gi, 'numero ')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/([a-z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, ' ')
    .replace(/\b([a-z]) (?=[a-z]\b)/g, '$1')
    .trim()
}
