// Refunds at the dashboard: a payment that can be given back, and the forms that its owner fills in.
import { type Desk, signedIn } from './desk.ts'
import type { House } from './house.ts'
import { read } from './link-desk.ts'
import { fieldsOf } from './payer.ts'
import { openRefunds } from './refunds.ts'

export function paymentAt(id: string, path = '') {
  return `/painel/transacoes/${id}${path}`
}

export function openRefundDesk(house: House) {
  const { approved } = openRefunds(house)

  /** Somebody at the desk of a company that was paid R$ 100,00 by card. */
  async function openDesk(role: 'owner' | 'member' = 'owner') {
    const paid = await approved()
    return { ...paid, desk: await signedIn(house, { companyId: paid.company.id, role }) }
  }

  /** Opens the form, fills this in and sends it on to the question. */
  async function fill(desk: Desk, id: string, filled: Record<string, string> = {}) {
    const form = formIn(await read(desk, paymentAt(id, '/devolver')))
    return desk.post(paymentAt(id, '/devolver'), { ...form, ...filled })
  }

  /** Answers the question. */
  async function confirm(desk: Desk, id: string, question: string) {
    return desk.post(paymentAt(id, '/devolver/confirmar'), formIn(question))
  }

  return { openDesk, fill, confirm }
}

/** The fields of a page's last form; the desk adds its own token. */
export function formIn(html: string) {
  const form = html.slice(html.lastIndexOf('<form'), html.lastIndexOf('</form>'))
  const { _csrf, ...fields } = fieldsOf(form)
  return fields
}
