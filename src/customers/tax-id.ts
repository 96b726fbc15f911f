// CPF (11 digits) and CNPJ (14 characters, letters allowed since 2026; IN RFB 2.229/2024).
import { cnpj, cpf } from 'cpf-cnpj-validator'
import { compactDigits, removeUnseen } from '../http/text.ts'

/** As it stood where it was copied; without a mark or a blank after it, letters of a CNPJ. */
const NAMED = /^\s*(?:CPF|CNPJ)[\s:]/i
const CPF_PATTERN = /^\d{11}$/
const ONE_DIGIT_PATTERN = /^(\d)\1*$/
const CNPJ_PATTERN = /^[0-9A-Z]{12}\d{2}$/

/** Upper case without punctuation and its name, or undefined when the check digits or the shape are wrong. */
export function parseTaxId(text: string): string | undefined {
  const unnamed = removeUnseen(text.normalize('NFKC')).replace(NAMED, '')
  const taxId = compactDigits(unnamed).replace(/[./]/g, '').toUpperCase()
  if (CPF_PATTERN.test(taxId)) return isCpf(taxId) ? taxId : undefined
  if (CNPJ_PATTERN.test(taxId)) return cnpj.isValid(taxId) ? taxId : undefined
  return undefined
}

/** The package's own check refuses 123.456.789-09 too, whose digits are right: providers name it for their tests. */
function isCpf(taxId: string) {
  const body = taxId.slice(0, 9)
  const first = cpf.verifierDigit(body)
  const second = cpf.verifierDigit(`${body}${first}`)
  return taxId === `${body}${first}${second}` && !ONE_DIGIT_PATTERN.test(taxId)
}
