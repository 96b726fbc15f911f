// The telephone that payers call: of a person or a shop, or one of those without an area code.
import { parsePhone } from '../../customers/contact.ts'
import { formatPhone } from '../../format.ts'

// 0800 and its kin, then 4004 and 3003 and theirs.
const TOLL_FREE = /^(0[3589]00)(\d{3})(\d{3,4})$/
const SHARED_COST = /^([34]00\d)(\d{4})$/

/** As people read it: `(11) 98765-4321`, `0800 123 4567`, `4004-1234`. */
export function parseSupportPhone(typed: string): string | undefined {
  const local = parsePhone(typed)
  if (local) return formatPhone(local)
  const digits = typed.replace(/[\s().-]/g, '')
  if (TOLL_FREE.test(digits)) return digits.replace(TOLL_FREE, '$1 $2 $3')
  return SHARED_COST.test(digits) ? digits.replace(SHARED_COST, '$1-$2') : undefined
}
