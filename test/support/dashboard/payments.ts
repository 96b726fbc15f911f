// Payments at the dashboard: a company with three payers and somebody at its desk.
import { paySandboxPix } from '../../../src/providers/sandbox/sandbox.ts'
import { checkPayment } from '../../../src/transactions/check.ts'
import { buildTestCard, openCheckout, PIX } from '../payer.ts'
import type { TestApp } from '../test-app.ts'
import { openLinkDashboard } from './links.ts'

const MARIA = { name: 'Maria Silva', taxId: '529.982.247-25' }
const JOANA = { name: 'Joana Silva', taxId: '111.444.777-35' }
const PEDRO = { name: 'Pedro Souza', taxId: '935.411.347-80' }

export function openPaymentDashboard(testApp: TestApp) {
  const { clock, db, needs } = testApp
  const { openClient } = openLinkDashboard(testApp)
  const { newLink, pay, read } = openCheckout(testApp)

  /** Maria paid by card, Joana's was declined, Pedro's Pix is still to be paid. */
  async function openMerchant(role: 'owner' | 'member' = 'member') {
    const { company, dashboardClient } = await openClient(role)
    const bolo = await newLink(
      { title: 'Bolo', tags: ['festa'], externalReference: 'P-1' },
      company,
    )
    const curso = await newLink({ title: 'Curso' }, company)
    const maria = (await pay(bolo, { ...buildTestCard('ok'), ...MARIA })).row
    const joana = (await pay(curso, { ...buildTestCard('generic'), ...JOANA })).row
    const pedro = (await pay(curso, { ...PIX, ...PEDRO })).row
    return { company, dashboardClient, bolo, curso, maria, joana, pedro }
  }

  /** Somebody pays this Pix with so much. */
  async function payCode(id: string, amountCents: number) {
    await paySandboxPix(db, { transactionId: id, amountCents }, clock.now())
    return checkPayment(needs, await read(id))
  }

  return { openMerchant, payCode }
}
