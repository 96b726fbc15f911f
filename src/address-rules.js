// What a postcode and a state in Brazil may be, as people write them. The service imports these rules, and the script of
// the forms that ask for an address is joined with the same file (http/assets.ts).

/** @type {Record<string, string>} */
const STATES = {
  ...{ AC: 'acre', AL: 'alagoas', AP: 'amapa', AM: 'amazonas', BA: 'bahia', CE: 'ceara' },
  ...{ DF: 'distritofederal', ES: 'espiritosanto', GO: 'goias', MA: 'maranhao', MT: 'matogrosso' },
  ...{ MS: 'matogrossodosul', MG: 'minasgerais', PA: 'para', PB: 'paraiba', PR: 'parana' },
  ...{ PE: 'pernambuco', PI: 'piaui', RJ: 'riodejaneiro', RN: 'riograndedonorte' },
  ...{ RS: 'riograndedosul', RO: 'rondonia', RR: 'roraima', SC: 'santacatarina' },
  ...{ SP: 'saopaulo', SE: 'sergipe', TO: 'tocantins' },
}

/**
 * The eight digits of a CEP, however they are parted: `01310-930`, `01.310-930`. Undefined of anything else.
 * @param {string} text
 */
export function readZipCode(text) {
  const seen = text.normalize('NFKC').replace(/^\s*CEP\b:?/i, '')
  const digits = seen.replace(/[\s.\p{Pd}\u2212\p{DI}]/gu, '')
  return /^\d{8}$/.test(digits) ? digits : undefined
}

/**
 * The two letters of a state, from them or from its name: `sp`, `São Paulo`. Undefined of anything else.
 * @param {string} text
 */
export function readState(text) {
  const letters = text.normalize('NFD').replace(/[^A-Za-z]/g, '')
  const code = letters.toUpperCase()
  if (code.length === 2) return STATES[code] && code
  const name = letters.toLowerCase().replace(/^estadod[eoa]/, '')
  return Object.keys(STATES).find((one) => STATES[one] === name)
}
