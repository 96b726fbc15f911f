// Mails that let somebody in. What their links hold is a secret: it is sealed until it is sent.
import type { Db } from '../database/connect.ts'
import type { Role } from '../database/enums.ts'
import { type Mailbox, queueMail } from './outbox.ts'

type Reset = {
  email: string
  /** The whole address of the page where a new password is chosen. */
  link: string
  now: Date
}

/** Writes the mail of a lost password; its link is good for an hour. Does nothing without mail. */
export async function queueReset(
  mail: Mailbox | null | undefined,
  db: Db,
  { email: recipient, link: secretLink, now }: Reset,
) {
  const data = { secretLink }
  await queueMail(
    mail,
    db,
    { companyId: null, now },
    { template: 'password-reset', recipient, data },
  )
}

type Invitation = {
  companyId: string
  email: string
  /** The e-mail of whoever invites. */
  invitedBy: string
  role: Role
  /** The whole address of the page where the invitation is taken. */
  link: string
  now: Date
}

/** Writes an invitation into a company, good for seven days. Does nothing without mail. */
export async function queueInvitation(
  mail: Mailbox | null | undefined,
  db: Db,
  { companyId, email: recipient, invitedBy, role, link: secretLink, now }: Invitation,
) {
  const data = { invitedBy, role, secretLink }
  await queueMail(mail, db, { companyId, now }, { template: 'invitation', recipient, data })
}
