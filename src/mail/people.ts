// Mails that grant access. What their links hold is a secret: it is encrypted until it is sent.
import type { Db } from '../database/connect.ts'
import type { Role } from '../database/enums.ts'
import { DAY_MS, HOUR_MS } from '../database/instant.ts'
import type { TemplateName } from './data.ts'
import { type MailRow, type Outbox, queueMail } from './outbox.ts'

export const RESET_VALID_MS = HOUR_MS
export const INVITATION_VALID_MS = 7 * DAY_MS

/** For how long the link is good that a mail is there to bring. */
const LINK_VALID_MS: Partial<Record<TemplateName, number>> = {
  'password-reset': RESET_VALID_MS,
  invitation: INVITATION_VALID_MS,
}

/** Whether all that the mail would bring is a link that does nothing any more. */
export function isSecretLinkOver({ template, createdAt }: MailRow, now: Date) {
  // The column takes any text; only queueMail writes it.
  const validMs = LINK_VALID_MS[template as TemplateName]
  return validMs !== undefined && now.getTime() >= Date.parse(createdAt) + validMs
}

type PasswordResetMail = {
  email: string
  /** The whole address of the page where a new password is chosen. */
  link: string
  now: Date
}

/** Writes the mail of a lost password. Does nothing without mail. */
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
  /** Of the invitation. */
  id: string
  companyId: string
  email: string
  /** The e-mail of whoever invites. */
  invitedBy: string
  role: Role
  /** The whole address of the page where the invitation is taken. */
  link: string
  now: Date
}

/** Writes an invitation into a company. Does nothing without mail. */
export async function queueInvitationMail(
  mail: Outbox | null | undefined,
  db: Db,
  { id, companyId, email: recipient, invitedBy, role, link: secretLink, now }: InvitationMail,
) {
  const data = { invitedBy, role, secretLink }
  const about = { template: 'invitation', subjectId: id } as const
  await queueMail(mail, db, { companyId, now }, { ...about, recipient, data })
}
