// Whether a text asks a payer for card data, in Portuguese, English or Spanish: its number, the day until which
// it is good, its code, its password. Accents, cases and what stands between words are left aside.

/** `Número do cartão fidelidade`, `cartão de visita`, `loyalty card` are about no card that pays. */
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

const CODE =
  /\b(?:cvv|cvc|cvn|cvd|cav)\d?\b|(?:cod|codigo)(?: ?de)? ?(?:seguranca|seguridad)\b|\bsecurity ?code\b|\b(?:3|tres) (?:digitos|numeros).*\b(?:verso|atras)\b/
const GOOD_UNTIL =
  /\b(?:valid|good) thru\b|(?:validade|vencimento|vencimiento|caducidad|expir\w*).* mm ?(?:aa|yy)/
const CARD = '(?:cartao|tarjeta|card|cc)'
const PARTS = [
  'numeros?|numeracao|num|nro|nr|n|number|digitos|digits',
  'validade|valido|vence|vencimento|vencimiento|caducidad|vigencia|expira\\w*|expir(?:y|es|ation)|exp',
  'senha|pin|password|passcode|contrasena|clave|codigo|cod|code|cvv|cvc|dados|datos|details|verification',
].join('|')
/** With words between, or all of it on end. */
const PART_OF_CARD = new RegExp(
  `\\b(?:${PARTS})\\b.*\\b${CARD}\\b|\\b${CARD}\\b.*\\b(?:${PARTS})\\b|` +
    `\\b(?:${PARTS})(?:d[aeo]|del?|dela)?${CARD}|${CARD}(?:${PARTS})\\b`,
)
/** These are on receipts, and pay for nothing. */
const LAST_DIGITS = /\b(?:ultim[ao]s|last|finais|finales)\b/

export function asksForCardData(text: string) {
  const asked = toPlainWords(text).replaceAll(OTHER_CARDS, ' ')
  if (CODE.test(asked) || GOOD_UNTIL.test(asked)) return true
  return PART_OF_CARD.test(asked) && !LAST_DIGITS.test(asked)
}

/** `N.º do Cartão` as `numero do cartao`, `C.V.V.` as `cvv`. */
function toPlainWords(text: string) {
  return text
    .replace(/\bn[o.]?[.º°]+/gi, 'numero ')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/([a-z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, ' ')
    .replace(/\b([a-z]) (?=[a-z]\b)/g, '$1')
    .trim()
}
