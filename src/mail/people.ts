// Mails that grant access. What their links hold is a secret: it is encrypted until it is sent.
import type { Db } from '../database/connect.ts'
import type { Role } from '../database/enums.ts'
import { type Outbox, queueMail } from './outbox.ts'

type PasswordResetMail = {
  email: string
  /** The whole address of the page where a new password is chosen. */
  link: string
  now: Date
}

/** Writes the mail of a lost password; its link is good for an hour. Does nothing without mail. */
export async function queuePasswordResetMail(
  mail: Outbox | null | undefined,
  db: Db,
  { email: recipient, link: secretLink, now }: PasswordResetMail,
) {
  const data = { secretLink }
  await queueMail(
    mail,
    db,
    { companyId: null, now },
    { template: 'password-reset', recipient, data },
  )
}

type InvitationMail = {
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
export async function queueInvitationMail(
  mail: Outbox | null | undefined,
  db: Db,
  { companyId, email: recipient, invitedBy, role, link: secretLink, now }: InvitationMail,
) {
  const data = { invitedBy, role, secretLink }
  await queueMail(mail, db, { companyId, now }, { template: 'invitation', recipient, data })
}
