// What people read of a change to their account, or to who reaches their company and its money.
import { BASE_CONTENT, type MailTemplates } from './content.ts'
import type { MailData } from './data.ts'
import { formatMailInstant } from './rows.ts'
import { mailTexts } from './texts.ts'

const { labels, security: words } = mailTexts
/** What a person looks after under Minha conta; the rest is in Registro, for owners. */
const OWN: readonly string[] = [
  ...['new_device', 'password_changed', 'password_reset', 'sign_in_failed'],
  ...['totp_enabled', 'totp_disabled', 'recovery_codes_renewed'],
]

export const SECURITY_TEMPLATES: MailTemplates<'security-notice'> = {
  'security-notice'(data, { baseUrl }) {
    const heading = words.what[data.what]
    const rows = [
      { label: labels.company, value: data.companyName },
      { label: labels.actor, value: data.actor },
      { label: labels.about, value: data.subject },
      { label: labels.device, value: data.device },
      { label: labels.network, value: data.address },
      { label: labels.when, value: formatMailInstant(data.at) },
    ]
    return {
      ...BASE_CONTENT,
      testMode: data.testMode,
      tone: 'warning',
      subject: words.subject(heading, data.companyName),
      preview: words.preview(data.actor),
      heading,
      paragraphs: [words.known, getAdvice(data)],
      rows: rows.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
      action: buildAction(data, baseUrl),
      notes: [words.always],
    }
  },
}

type Reader = Pick<MailData['security-notice'], 'isSelf' | 'isOwner'>

function getAdvice({ isSelf, isOwner }: Reader) {
  const { unknown } = words
  if (isSelf) return isOwner ? unknown.selfOwner : unknown.self
  return isOwner ? unknown.owner : unknown.former
}

/** To a page that this reader may open. */
function buildAction({ what, isSelf, isOwner }: MailData['security-notice'], baseUrl: string) {
  if (isSelf && (OWN.includes(what) || !isOwner))
    return { label: words.seeAccount, url: `${baseUrl}/painel/conta` }
  return isOwner ? { label: words.seeLog, url: `${baseUrl}/painel/registro` } : null
}
