// The whole data model on one page. Money is integer cents; an instant is a timestamptz that code holds as ISO 8601
// text (UTC, milliseconds), since most code only passes it on.
import { type AnyPgColumn, pgCore, sql } from './drizzle.ts'
import type {
  CustomFieldType,
  DeclineCode,
  DeliveryOutcome,
  DeliveryStatus,
  DisputeKind,
  DisputeStatus,
  EventType,
  FeeSource,
  InterestMode,
  LinkBulkAction,
  Locale,
  MovementKind,
  PayerEmailMode,
  PaymentMethod,
  ProviderName,
  RealProvider,
  RefundFailure,
  RefundStatus,
  RegistrationState,
  Role,
  Scope,
  StepKind,
  StoredLinkStatus,
  TransactionStatus,
  UtmName,
} from './enums.ts'
import { normalizePostgresInstant } from './instant.ts'

const { check, customType, index, integer, jsonb, pgTable, smallint, text, unique, uuid } = pgCore
const { bigint, boolean, date, foreignKey, pgSequence, uniqueIndex } = pgCore

const instantColumn = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: normalizePostgresInstant,
})
const bytesColumn = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
/** The words by which searches of the dashboard find a row (lists/words.ts). */
const wordsColumn = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** A custom question of a link; only a choice has `options`. */
export type CustomField = {
  key: string
  label: string
  type: CustomFieldType
  required: boolean
  options?: string[] | undefined
}
/** A payer's answer, with the label at that time. A number is `1234.56`, a date `2026-12-31`. */
export type CustomAnswer = Pick<CustomField, 'key' | 'label' | 'type'> & { value: string }

/** Text that rows are found by, sorted by its bytes: an update of the system's languages cannot break its index. */
const keyColumn = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })
const idColumn = () => uuid().primaryKey()
const companyColumn = () => ({
  companyId: uuid()
    .notNull()
    .references(() => companies.id),
})
const createdAtColumn = () => ({ createdAt: instantColumn().notNull().default(sql`now()`) })
const updatedAtColumn = () => ({ updatedAt: instantColumn().notNull().default(sql`now()`) })

/**
 * A company is two rows: the real environment, which users belong to, and the test environment, which names the real
 * one. All data of the API belongs to one of them; brand and settings are the same.
 */
export const companies = pgTable(
  'companies',
  {
    id: idColumn(),
    testOf: uuid().references((): AnyPgColumn => companies.id),
    testMode: boolean().notNull().generatedAlwaysAs(sql`test_of is not null`),
    name: text().notNull(),
    taxId: text(),
    city: text().notNull().default('SAO PAULO'),
    color: text(),
    logoUrl: text(),
    supportEmail: text(),
    supportPhone: text(),
    askPhone: boolean().notNull().default(false),
    payerEmail: text().$type<PayerEmailMode>().notNull().default('auto'),
    /** Whether a card may be paid with a document of another country, where its provider takes one. */
    acceptsForeignDocuments: boolean().notNull().default(false),
    defaultMaxInstallments: smallint().notNull().default(1),
    defaultInterestMode: text().$type<InterestMode>().notNull().default('absorb'),
    interestRateBps: integer().notNull().default(299),
    interestFreeUpTo: smallint().notNull().default(1),
    /** How much less a Pix costs than the price. */
    pixDiscountBps: smallint().notNull().default(0),
    minInstallmentCents: integer().notNull().default(500),
    pixExpirySeconds: integer().notNull().default(1800),
    /** The provider of each method; null when the method is not offered. */
    pixProvider: text().$type<ProviderName>(),
    cardProvider: text().$type<ProviderName>(),
    /** Which e-mails are sent; without SMTP_URL none are. */
    mailReceipts: boolean().notNull().default(true),
    mailPayments: boolean().notNull().default(true),
    mailFailures: boolean().notNull().default(true),
    /** Receives the e-mails about payments and failures; null means all owners. */
    noticeEmail: text(),
    /** Signs the payer's return to a link's redirectUrl. Encrypted. */
    redirectSecret: bytesColumn().notNull(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (company) => [
    unique().on(company.testOf),
    // Lets other tables reference a company together with its test mode.
    unique().on(company.id, company.testMode),
    check('companies_pix_discount', sql`pix_discount_bps between 0 and 5000`),
    check('companies_payer_email', sql`payer_email in ('auto', 'required', 'optional', 'none')`),
    check(
      'companies_sandbox',
      sql`test_of is not null or (pix_provider is distinct from 'sandbox' and card_provider is distinct from 'sandbox')`,
    ),
    check(
      'companies_sandbox_page',
      sql`test_of is not null or card_provider is distinct from 'sandbox-page'`,
    ),
  ],
)

/** Keeps the rows of one environment from referring to the other. */
const inEnvironmentOf = (
  name: string,
  { companyId, testMode }: { companyId: AnyPgColumn; testMode: AnyPgColumn },
) =>
  foreignKey({
    name,
    columns: [companyId, testMode],
    foreignColumns: [companies.id, companies.testMode],
  })

export const users = pgTable(
  'users',
  {
    id: idColumn(),
    ...companyColumn(),
    email: keyColumn().notNull().unique(),
    passwordHash: text().notNull(),
    role: text().$type<Role>().notNull(),
    /** Encrypted; not asked for before totpEnabledAt. */
    totpSecret: bytesColumn(),
    totpEnabledAt: instantColumn(),
    /** The last 30 s step of a used code, since no code works twice. */
    totpLastStep: integer(),
    /** SHA-256 in hex of each unused code. */
    recoveryCodes: text().array().notNull().default(sql`'{}'`),
    /** The user has hidden the first steps (dashboard/home/first-steps.ts). */
    hidesFirstSteps: boolean().notNull().default(false),
    ...createdAtColumn(),
  },
  (user) => [
    index().on(user.companyId),
    check('users_role', sql`role in ('owner','finance','member','accountant')`),
  ],
)

/** Sessions of users. The cookie holds the token, this table its SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    id: idColumn(),
    tokenHash: bytesColumn().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    userAgent: text().notNull(),
    /** The environment that the user chose; null: the one that the company uses by default. */
    testMode: boolean(),
    /** When the password or a code was last typed (dashboard/access/step-up.ts). */
    confirmedAt: instantColumn().notNull(),
    ...createdAtColumn(),
    lastSeenAt: instantColumn().notNull(),
    expiresAt: instantColumn().notNull(),
  },
  (session) => [index().on(session.userId), index().on(session.expiresAt)],
)

/** Single-use links sent to a person: an invitation to a company, or a new password. */
export const invitations = pgTable(
  'invitations',
  {
    id: idColumn(),
    ...companyColumn(),
    email: keyColumn().notNull(),
    role: text().$type<Role>().notNull(),
    tokenHash: bytesColumn().notNull().unique(),
    invitedBy: text().notNull(),
    expiresAt: instantColumn().notNull(),
    ...createdAtColumn(),
  },
  (invitation) => [
    uniqueIndex().on(invitation.companyId, invitation.email),
    check('invitations_role', sql`role in ('owner','finance','member','accountant')`),
  ],
)

export const passwordResets = pgTable(
  'password_resets',
  {
    tokenHash: bytesColumn().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instantColumn().notNull(),
    ...createdAtColumn(),
  },
  (reset) => [index().on(reset.userId)],
)

/** The audit log. It has no foreign key to the user, who may be deleted. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: idColumn(),
    ...companyColumn(),
    /** An e-mail, or another actor, such as the operator at the command line. */
    actor: text().notNull(),
    userId: uuid(),
    action: text().notNull(),
    /** The subject of the action: its id, and its name for people. */
    subjectId: text(),
    subject: text(),
    details: jsonb().$type<Record<string, string>>().notNull(),
    address: text(),
    /** Whether it was done in the test environment. */
    testMode: boolean().notNull().default(false),
    ...createdAtColumn(),
  },
  (entry) => [
    index().on(entry.companyId, entry.id),
    index().on(entry.companyId, entry.action, entry.id),
    index().on(entry.companyId, entry.userId, entry.id).where(sql`user_id is not null`),
  ],
)

/**
 * The fees that a company says its providers charge. A card's fee applies from its number of installments up to the
 * next row.
 */
export const payoutTerms = pgTable(
  'payout_terms',
  {
    ...companyColumn(),
    method: text().$type<PaymentMethod>().notNull(),
    installments: smallint().notNull(),
    /** Hundredths of a percent of the total, and a fixed amount for each payment. */
    rateBps: integer().notNull(),
    fixedCents: integer().notNull(),
  },
  (terms) => [
    pgCore.primaryKey({ columns: [terms.companyId, terms.method, terms.installments] }),
    check('payout_terms_installments', sql`installments between 1 and 12`),
    check('payout_terms_method', sql`method in ('pix', 'credit_card')`),
    // The highest fee is less than the smallest payment, R$ 10.00.
    check('payout_terms_fee', sql`rate_bps between 0 and 3000 and fixed_cents between 0 and 500`),
  ],
)

/** The logos as they are served, already resized. */
export const companyLogos = pgTable('company_logos', {
  companyId: companyColumn().companyId.primaryKey(),
  contentType: text().notNull(),
  content: bytesColumn().notNull(),
  ...updatedAtColumn(),
})

/** E-mails to send, written in the transaction that causes them and rendered when sent. */
export const mails = pgTable(
  'mails',
  {
    id: idColumn(),
    /** Null for a mail to a person without a company. */
    companyId: uuid().references(() => companies.id),
    template: text().notNull(),
    recipient: text().notNull(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The id of the mail's subject, by which the mail is found and deleted. */
    subjectId: uuid(),
    attempts: smallint().notNull().default(0),
    /** The time of the next try: past the lease during an attempt; null when the mail is sent or has failed. */
    dueAt: instantColumn().default(sql`now()`),
    sentAt: instantColumn(),
    failure: text(),
    ...createdAtColumn(),
  },
  (mail) => [
    index().on(mail.dueAt).where(sql`due_at is not null`),
    index().on(mail.companyId, mail.id),
    index().on(mail.subjectId).where(sql`subject_id is not null`),
    index().on(mail.createdAt),
  ],
)

/** A company's account at a provider. */
export const providerAccounts = pgTable(
  'provider_accounts',
  {
    ...companyColumn(),
    provider: text().$type<RealProvider>().notNull(),
    /** The whole configuration as JSON. Encrypted. */
    config: bytesColumn().notNull(),
    /** The unguessable part of the address that the provider notifies. */
    notifyToken: keyColumn().notNull().unique(),
    testMode: boolean().notNull(),
    testedAt: instantColumn(),
    /** Null when the last test succeeded. */
    testFailure: text(),
    /** Null when our notification address was never registered there by API. */
    registration: text().$type<RegistrationState>(),
    /** The address registered there in place of ours; null when there is none. */
    registeredUrl: text(),
    registrationCheckedAt: instantColumn(),
    /** How many hours the provider's clock is ahead, by the last charge made there. */
    clockOffsetHours: smallint().notNull().default(0),
    /** The provider's last notification, and how many there were. */
    notifiedAt: instantColumn(),
    notifiedCount: integer().notNull().default(0),
    /** The last notification that was refused as forged, and how many there were since the last valid one. */
    refusedAt: instantColumn(),
    refusedCount: integer().notNull().default(0),
    /** The field of an answer that could not be read, and when. */
    unreadableField: text(),
    unreadableAt: instantColumn(),
    /** All payments received there up to this instant have been read as a list. */
    listedUntil: instantColumn(),
    /** When a process last began to read that list: others wait for a while. */
    listTriedAt: instantColumn(),
    /** When the list of returned payments was last read. */
    returnsListedAt: instantColumn(),
    /** Until when the provider wants no background calls. */
    pausedUntil: instantColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (account) => [
    pgCore.primaryKey({ columns: [account.companyId, account.provider] }),
    inEnvironmentOf('provider_accounts_environment', account),
    index().on(account.registrationCheckedAt).where(sql`registration is not null`),
    check('provider_accounts_registration', sql`registration in ('registered','kept','lost')`),
  ],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    id: idColumn(),
    ...companyColumn(),
    name: text().notNull(),
    secretHash: bytesColumn().notNull().unique(),
    lastFour: text().notNull(),
    /** The key's scopes; null means all. */
    scopes: text().array().$type<Scope[]>(),
    /** The networks that may use the key; null means all. */
    allowedNetworks: text().array(),
    ...createdAtColumn(),
    lastUsedAt: instantColumn(),
    /** Until when a rolled key still works; null means for ever. */
    expiresAt: instantColumn(),
    revokedAt: instantColumn(),
  },
  (key) => [
    index().on(key.companyId, key.id),
    check('api_keys_allowed_networks', sql`cardinality(allowed_networks) between 1 and 20`),
  ],
)

/** Calls that were refused or failed, without any of their values (api/failed-calls.ts). */
export const failedCalls = pgTable(
  'failed_calls',
  {
    id: idColumn(),
    companyId: uuid().notNull(),
    apiKeyId: uuid().notNull(),
    method: text().notNull(),
    /** The route's pattern; null without a route. */
    route: text(),
    status: smallint().notNull(),
    code: text(),
    fields: text().array().notNull(),
    requestId: text().notNull(),
    ...createdAtColumn(),
  },
  (call) => [index().on(call.companyId, call.id)],
)

export const customers = pgTable(
  'customers',
  {
    id: idColumn(),
    ...companyColumn(),
    name: text().notNull(),
    email: text(),
    phone: text(),
    /**
     * A CPF or CNPJ in upper case, without punctuation; a document of another country begins with `+`. Null when unknown
     * or anonymized.
     */
    taxId: text(),
    /** When the company had this person anonymized. The row stays, because transactions reference it. */
    anonymizedAt: instantColumn(),
    /** The customer into whom this one was merged, which left no personal data here either; never one merged itself. */
    mergedInto: uuid().references((): AnyPgColumn => customers.id),
    words: wordsColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (customer) => [
    index().on(customer.mergedInto).where(sql`merged_into is not null`),
    index('customers_words').using('gin', customer.words),
    index('customers_name_words').using('gin', sql`name_words(name)`),
    unique().on(customer.companyId, customer.taxId),
    index().on(customer.companyId, customer.id).where(sql`anonymized_at is null`),
    index('customers_company_id_lower_email_id_index')
      .on(customer.companyId, sql`lower(email)`, customer.id)
      .where(sql`email is not null`),
  ],
)

/** Active links that will expire, or that have expired without an event yet. */
export const IS_EXPIRY_PENDING = sql`status = 'active' and expires_at is distinct from expiry_told_for and expires_at is not null`

/** Active links that still remind their payers. */
export const IS_REMINDER_PENDING = sql`status = 'active' and reminder_due_at is not null`

export const paymentLinks = pgTable(
  'payment_links',
  {
    id: idColumn(),
    ...companyColumn(),
    slug: keyColumn().notNull().unique(),
    title: text().notNull(),
    description: text(),
    amountCents: integer().notNull(),
    methods: text().array().$type<PaymentMethod[]>().notNull(),
    maxInstallments: smallint().notNull(),
    interestMode: text().$type<InterestMode>().notNull(),
    /** Up to how many installments bear no interest; null: the company's interestFreeUpTo. */
    interestFreeInstallments: smallint(),
    /** How much less a Pix costs; null: as the company says. */
    pixDiscountBps: smallint(),
    /** The stored status. `expired` is computed at each read from expiresAt. */
    status: text().$type<StoredLinkStatus>().notNull(),
    /** The status before the link was completed or archived, to which it returns; null means active. */
    completedFrom: text().$type<StoredLinkStatus>(),
    tags: text().array().notNull(),
    redirectUrl: text(),
    linkedCustomerId: uuid().references(() => customers.id),
    expiresAt: instantColumn(),
    maxPayments: integer(),
    externalReference: text(),
    metadata: jsonb().$type<Record<string, string>>().notNull(),
    inactiveMessage: text(),
    /** Null when nothing is asked. */
    customFields: jsonb().$type<CustomField[]>(),
    /** The hash of the image in payment_link_images; null without an image. */
    imageHash: text(),
    /** Shown on the receipt. */
    successMessage: text(),
    /** The text on the payer's card statement. */
    statementDescriptor: text(),
    /** Until when the link accepts no cards, because of card testing. */
    cardsPausedUntil: instantColumn(),
    /** The expiresAt for which an event was sent. */
    expiryEmittedFor: instantColumn('expiry_told_for'),
    /** After how many days each without a payment its payers are reminded; null: never. */
    remindEveryDays: smallint(),
    remindersSent: smallint().notNull().default(0),
    /** When the next reminder is due (payment-links/sending/reminders.ts); null: none is to come. */
    reminderDueAt: instantColumn(),
    words: wordsColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (link) => [
    index('payment_links_words').using('gin', link.words),
    index('payment_links_live').on(link.companyId, link.id).where(sql`status <> 'archived'`),
    index('payment_links_status')
      .on(link.companyId, link.status, link.id)
      .where(sql`status <> 'active'`),
    index('payment_links_expiring').on(link.companyId, link.expiresAt).where(IS_EXPIRY_PENDING),
    index('payment_links_due').on(link.expiresAt).where(IS_EXPIRY_PENDING),
    index('payment_links_reminders').on(link.reminderDueAt).where(IS_REMINDER_PENDING),
    index('payment_links_reference')
      .on(link.companyId, link.externalReference, link.id)
      .where(sql`external_reference is not null`),
    index().on(link.linkedCustomerId).where(sql`linked_customer_id is not null`),
    index('payment_links_tags').using('gin', link.tags),
    index('payment_links_metadata').using('gin', sql`metadata jsonb_path_ops`),
    index('payment_links_by_amount')
      .on(link.companyId, link.amountCents, link.id)
      .where(sql`status <> 'archived'`),
    check('payment_links_title', sql`char_length(title) between 1 and 128`),
    check('payment_links_description', sql`char_length(description) <= 2048`),
    check('payment_links_amount', sql`amount_cents between 1000 and 20000000`),
    check(
      'payment_links_methods',
      sql`cardinality(methods) between 1 and 2 and methods <@ array['pix','credit_card']`,
    ),
    check('payment_links_installments', sql`max_installments between 1 and 12`),
    check('payment_links_pix_once', sql`max_installments = 1 or 'credit_card' = any(methods)`),
    check('payment_links_interest', sql`interest_mode in ('absorb','pass_to_customer')`),
    check('payment_links_interest_free', sql`interest_free_installments between 1 and 12`),
    check('payment_links_pix_discount', sql`pix_discount_bps between 0 and 5000`),
    check('payment_links_status', sql`status in ('active','inactive','completed','archived')`),
    check('payment_links_tags', sql`cardinality(tags) <= 20`),
    check('payment_links_max_payments', sql`max_payments between 1 and 100000`),
    check(
      'payment_links_custom_fields',
      sql`case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 20000 else custom_fields is null end`,
    ),
    check('payment_links_image_hash', sql`image_hash ~ '^[0-9a-f]{16}$'`),
    check('payment_links_success_message', sql`char_length(success_message) <= 500`),
    check('payment_links_statement_descriptor', sql`statement_descriptor ~ '^[A-Z0-9 .-]{1,22}$'`),
    check('payment_links_remind_every_days', sql`remind_every_days between 1 and 30`),
    check('payment_links_reminders_sent', sql`reminders_sent between 0 and 3`),
  ],
)

/** The addresses that a link was sent to, or its payer reminded at, by e-mail. */
export const linkRecipients = pgTable(
  'link_recipients',
  {
    id: idColumn(),
    ...companyColumn(),
    linkId: uuid()
      .notNull()
      .references(() => paymentLinks.id),
    /** In small letters. */
    email: text().notNull(),
    /** The unguessable part of the page that stops the e-mails. */
    token: keyColumn().notNull().unique(),
    /** When the company last sent the link there; null: it was only reminded. */
    sentAt: instantColumn(),
    remindedAt: instantColumn(),
    remindersSent: smallint().notNull().default(0),
    /** When its reader asked for no more e-mails about this link. */
    stoppedAt: instantColumn(),
    /** When the mail server refused the last e-mail to it for good. */
    refusedAt: instantColumn(),
    ...createdAtColumn(),
  },
  (recipient) => [
    uniqueIndex().on(recipient.linkId, recipient.email),
    index().on(recipient.companyId, recipient.email),
    check('link_recipients_email', sql`char_length(email) <= 320`),
    check('link_recipients_reminders_sent', sql`reminders_sent between 0 and 3`),
  ],
)

/** How often a link was opened and its form begun, by day of São Paulo (checkout/visit-counter.ts). */
export const linkVisits = pgTable(
  'link_visits',
  {
    linkId: uuid()
      .notNull()
      .references(() => paymentLinks.id),
    day: date().notNull(),
    opened: integer().notNull(),
    begun: integer().notNull(),
  },
  (row) => [
    pgCore.primaryKey({ columns: [row.linkId, row.day] }),
    index().on(row.day),
    check('link_visits_counts', sql`opened >= 0 and begun >= 0`),
  ],
)

/**
 * The image of a link, already resized. When a link is copied, its image is written first; if the copy fails, the image
 * stays unused.
 */
export const paymentLinkImages = pgTable('payment_link_images', {
  linkId: idColumn(),
  contentType: text().notNull(),
  content: bytesColumn().notNull(),
  ...updatedAtColumn(),
})

export type BulkRefusal = 'archived' | 'expired' | 'complete' | 'tooManyTags' | 'tooBig'

/** One change to many links. The id comes from the form, so that a form sent twice changes nothing twice. */
export const linkBulks = pgTable(
  'link_bulks',
  {
    id: idColumn(),
    ...companyColumn(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    action: text().$type<LinkBulkAction>().notNull(),
    tag: text(),
    linkIds: uuid().array().notNull(),
    /** This many of the links, from the first, have been processed. */
    workedCount: integer().notNull().default(0),
    changed: jsonb().$type<{ id: string }[]>().notNull().default([]),
    refused: jsonb().$type<{ id: string; reason: BulkRefusal }[]>().notNull().default([]),
    finishedAt: instantColumn(),
    ...createdAtColumn(),
  },
  (bulk) => [
    index().on(bulk.createdAt),
    index().on(bulk.userId),
    check(
      'link_bulks_action',
      sql`action in ('archive','unarchive','pause','resume','add_tag','remove_tag')`,
    ),
    check('link_bulks_size', sql`cardinality(link_ids) <= 1000`),
  ],
)

export type Institution = { cnpj: string; name: string | null }

export type Utm = Partial<Record<UtmName, string>>

const TRANSACTION_CHECKS = [
  check('transactions_total', sql`total_cents = amount_cents + interest_cents - discount_cents`),
  check(
    'transactions_discount',
    sql`discount_cents = 0 or (discount_cents between 1 and amount_cents - 1 and method = 'pix')`,
  ),
  check('transactions_amounts', sql`amount_cents > 0 and interest_cents >= 0`),
  check('transactions_refunded', sql`refunded_cents between 0 and total_cents`),
  check('transactions_charged_back', sql`charged_back_cents between 0 and total_cents`),
  check(
    'transactions_custom_fields',
    sql`case jsonb_typeof(custom_fields) when 'array' then jsonb_array_length(custom_fields) between 1 and 5 and octet_length(custom_fields::text) <= 6000 else custom_fields is null end`,
  ),
  check(
    'transactions_fee',
    sql`fee_cents between 0 and total_cents and (fee_cents is null) = (fee_source is null)`,
  ),
  check(
    'transactions_payout',
    sql`payout_parts between 1 and 12 and (payout_parts is null) = (expected_on is null)`,
  ),
  check('transactions_ref', sql`char_length(ref) between 1 and 64`),
  check(
    'transactions_utm',
    sql`case jsonb_typeof(utm) when 'object' then utm <> '{}' and octet_length(utm::text) <= 4000 else utm is null end`,
  ),
  check(
    'transactions_pix_institution',
    sql`case jsonb_typeof(pix_institution) when 'object' then method = 'pix' and octet_length(pix_institution::text) <= 1000 else pix_institution is null end`,
  ),
  check('transactions_locale', sql`locale in ('pt', 'en', 'es')`),
  check('transactions_installments', sql`installments between 1 and 12`),
  check(
    'transactions_approved_at',
    sql`approved_at is not null or status not in ('approved','partially_refunded','refunded','charged_back')`,
  ),
]

export const transactions = pgTable(
  'transactions',
  {
    id: idColumn(),
    /** References companies together with testMode. */
    companyId: uuid().notNull(),
    paymentLinkId: uuid()
      .notNull()
      .references(() => paymentLinks.id),
    customerId: uuid()
      .notNull()
      .references(() => customers.id),
    /** The token of the form: a form that is sent twice charges once. */
    attemptToken: keyColumn().notNull(),
    /** The unguessable part of the payment's own URL. */
    token: keyColumn().notNull().unique(),
    status: text().$type<TransactionStatus>().notNull(),
    method: text().$type<PaymentMethod>().notNull(),
    amountCents: integer().notNull(),
    interestCents: integer().notNull(),
    /** What a Pix cost less than the price. */
    discountCents: integer().notNull().default(0),
    totalCents: integer().notNull(),
    refundedCents: integer().notNull().default(0),
    /** The amount that lost disputes took. */
    chargedBackCents: integer().notNull().default(0),
    installments: smallint().notNull(),
    installmentCents: integer().notNull(),
    interestMode: text().$type<InterestMode>().notNull(),
    interestRateBps: integer().notNull(),
    provider: text().$type<ProviderName>().notNull(),
    providerReference: keyColumn(),
    payerName: text().notNull(),
    /** Null, like the document, once the customer is anonymized. */
    payerEmail: text(),
    /** As customers.taxId. */
    payerTaxId: text(),
    /** The document came sealed in the payer's address: it is not shown in a form. */
    isTaxIdSealed: boolean().notNull().default(false),
    payerPhone: text(),
    cardBrand: text(),
    cardLast4: text(),
    cardHolder: text(),
    threeDsStatus: text().$type<'authenticated' | 'failed' | 'attempted'>(),
    threeDsEci: text(),
    threeDsFlow: text().$type<'frictionless' | 'challenge'>(),
    /** The address at which the payer confirms the purchase with the card's bank, or pays at the provider's own page. */
    challengeUrl: text(),
    declineCode: text().$type<DeclineCode>(),
    abecsCode: text(),
    /** Whether the same card may be tried again. */
    retryable: boolean(),
    pixTxid: text(),
    pixEndToEndId: text(),
    pixBrCode: text(),
    /** The institution that receives a Pix, as it was when the payment was begun; null where it is unknown. */
    pixInstitution: jsonb().$type<Institution>(),
    expiresAt: instantColumn(),
    approvedAt: instantColumn(),
    /** The provider's time of a card payment, if it differs from paidAt; for a Pix see incoming payments. */
    reportedPaidAt: instantColumn(),
    paidLate: boolean().notNull().default(false),
    /** The first Pix that the same browser began, when this one replaces it. */
    firstAttemptId: uuid(),
    /** Another payment, of the same browser or of the same single-use link, that was paid before this one. */
    possibleDuplicateOf: uuid(),
    /** Why the company must look at this payment before it counts, such as another amount. */
    holdReason: text(),
    /** The amount received, when it differs from the total. */
    receivedCents: integer(),
    /** The provider's fee; null when unknown. */
    feeCents: integer(),
    feeSource: text().$type<FeeSource>(),
    /** The day in São Paulo of the payout, or of its first part; other parts follow every 30 days. */
    expectedOn: date(),
    payoutParts: smallint(),
    testMode: boolean().notNull(),
    externalReference: text(),
    metadata: jsonb().$type<Record<string, string>>().notNull(),
    tags: text().array().notNull(),
    /** Null when nothing was asked or answered, and once the customer is anonymized. */
    customFields: jsonb().$type<CustomAnswer[]>(),
    /** The link's title at the time of payment; null in payments of before 28 November 2026. */
    linkTitle: text(),
    /** The `?ref=` of the payer's address. */
    ref: text(),
    /** The `?utm_source=` and its like of that address; null where it had none. */
    utm: jsonb().$type<Utm>(),
    /** The language of the payer's page, for e-mails; null for a payment without a page. */
    locale: text().$type<Locale>(),
    /** When to ask the provider again; null when there is nothing left to ask. */
    checkAt: instantColumn(),
    checks: smallint().notNull().default(0),
    words: wordsColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (transaction) => [
    index('transactions_words').using('gin', transaction.words),
    inEnvironmentOf('transactions_environment', transaction),
    unique().on(transaction.paymentLinkId, transaction.attemptToken),
    unique().on(transaction.provider, transaction.providerReference),
    index().on(transaction.companyId, transaction.id),
    index().on(transaction.paymentLinkId, transaction.id),
    index().on(transaction.customerId, transaction.id),
    index().on(transaction.companyId, transaction.status, transaction.id),
    index().on(transaction.companyId, transaction.updatedAt, transaction.id),
    index().on(transaction.companyId, transaction.totalCents, transaction.id),
    index()
      .on(transaction.companyId, transaction.externalReference, transaction.id)
      .where(sql`external_reference is not null`),
    index().on(transaction.checkAt).where(sql`check_at is not null`),
    // Sums of the amounts received in a period, read from the index alone.
    index('transactions_received')
      .on(
        transaction.companyId,
        transaction.approvedAt,
        transaction.testMode,
        transaction.method,
        transaction.paymentLinkId,
        transaction.totalCents,
        transaction.refundedCents,
      )
      .where(sql`approved_at is not null`),
    // The day by which people search for a payment.
    index('transactions_effective').on(
      transaction.companyId,
      sql`coalesce(approved_at, created_at)`,
      transaction.id,
    ),
    // Payments that no longer count for their link.
    index('transactions_charged_back_of_link')
      .on(transaction.paymentLinkId)
      .where(sql`status = 'charged_back'`),
    index('transactions_tags').using('gin', transaction.tags),
    index('transactions_metadata').using('gin', sql`metadata jsonb_path_ops`),
    index('transactions_first_attempt')
      .on(transaction.firstAttemptId)
      .where(sql`first_attempt_id is not null`),
    index('transactions_duplicates')
      .on(transaction.companyId, transaction.id)
      .where(sql`possible_duplicate_of is not null`),
    index('transactions_payouts')
      .on(transaction.companyId, transaction.expectedOn)
      .where(sql`expected_on is not null`),
    index('transactions_held')
      .on(transaction.companyId, transaction.id)
      .where(sql`hold_reason is not null`),
    ...TRANSACTION_CHECKS,
  ],
)

/**
 * The book of money (movements/book.ts): one row for each movement of a payment's money, on its day. Rows are only
 * added.
 */
export const movements = pgTable(
  'movements',
  {
    id: idColumn().default(sql`gen_random_uuid()`),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    paymentLinkId: uuid().notNull(),
    method: text().$type<PaymentMethod>().notNull(),
    tags: text().array().notNull(),
    kind: text().$type<MovementKind>().notNull(),
    /** The day in São Paulo that it counts on: of the movement, or of its booking if that month was over. */
    day: date().notNull(),
    movedAt: instantColumn().notNull(),
    bookedAt: instantColumn().notNull(),
    /** Positive for money received, negative for money returned. */
    cents: integer().notNull(),
    /** The part of a sale that is interest. */
    interestCents: integer().notNull(),
    /** The provider's fee; null for a sale booked before the fee was known. */
    feeCents: integer(),
  },
  (movement) => [
    // The sum of a range of days is read from this index alone.
    index('movements_by_day').on(
      ...[movement.companyId, movement.day, movement.kind, movement.method],
      ...[movement.cents, movement.feeCents, movement.paymentLinkId, movement.movedAt],
    ),
    index().on(movement.transactionId),
    index().on(movement.paymentLinkId),
    index().on(movement.companyId, movement.movedAt, movement.id),
    // Fees that became known after their sale was booked.
    index('movements_fees').on(movement.companyId, movement.transactionId).where(sql`kind = 'fee'`),
    uniqueIndex('movements_sale').on(movement.transactionId).where(sql`kind = 'sale'`),
    check(
      'movements_kind',
      sql`kind in ('sale','fee','refund','dispute','dispute_won','surplus','surplus_refund')`,
    ),
    check('movements_fee', sql`fee_cents is not null or kind = 'sale'`),
  ],
)

/** The history of a payment, step by step, for the company's users. */
export const transactionSteps = pgTable(
  'transaction_steps',
  {
    id: idColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    kind: text().$type<StepKind>().notNull(),
    details: jsonb().$type<Record<string, string | number>>().notNull(),
    ...createdAtColumn(),
  },
  (step) => [index().on(step.transactionId, step.id)],
)

/** Attempts to pay by card, counted to stop card testing before it reaches the provider. */
export const cardAttempts = pgTable(
  'card_attempts',
  {
    transactionId: uuid()
      .primaryKey()
      .references(() => transactions.id),
    paymentLinkId: uuid().notNull(),
    /** Keyed digests of the payer's address, and of the card's brand and last four digits. */
    address: bytesColumn().notNull(),
    card: bytesColumn().notNull(),
    ...createdAtColumn(),
  },
  (attempt) => [
    index().on(attempt.paymentLinkId, attempt.createdAt),
    index().on(attempt.address, attempt.createdAt),
    index().on(attempt.card, attempt.createdAt),
    index().on(attempt.createdAt),
  ],
)

/**
 * Pix payments received, one row for each, written once however often the bank reports it. Refunds take the surplus
 * first, and then the part that paid the sale.
 */
export const incomingPayments = pgTable(
  'incoming_payments',
  {
    id: idColumn(),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    provider: text().$type<ProviderName>().notNull(),
    /** The provider's own id when it gives no endToEndId. */
    endToEndId: keyColumn().notNull(),
    amountCents: integer().notNull(),
    /** The part above the sale's total, decided when it was booked. */
    surplusCents: integer().notNull().default(0),
    /** The sum of its refunds, also those made at the provider. */
    refundedCents: integer().notNull().default(0),
    paidAt: instantColumn().notNull(),
    /** The bank's time, if it differs from paidAt. */
    reportedPaidAt: instantColumn(),
    /** Reported by the payer's bank. */
    payerName: text(),
    payerTaxId: text(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (payment) => [
    unique().on(payment.companyId, payment.provider, payment.endToEndId),
    index().on(payment.transactionId, payment.id),
    index('incoming_payments_surplus')
      .on(payment.companyId, payment.id)
      .where(sql`surplus_cents > refunded_cents`),
    check('incoming_payments_amount', sql`amount_cents > 0`),
    check('incoming_payments_surplus', sql`surplus_cents between 0 and amount_cents`),
    check('incoming_payments_refunded', sql`refunded_cents between 0 and amount_cents`),
  ],
)

/** Pix received for no charge of ours, until the company assigns it to a payment or returns it. */
export const unmatchedPayments = pgTable(
  'unmatched_payments',
  {
    id: idColumn(),
    ...companyColumn(),
    provider: text().$type<RealProvider>().notNull(),
    endToEndId: keyColumn().notNull(),
    /** The txid of the provider; null without one. */
    txid: text(),
    amountCents: integer().notNull(),
    refundedCents: integer().notNull().default(0),
    paidAt: instantColumn().notNull(),
    payerName: text(),
    payerTaxId: text(),
    /** The institution that received it; null where it is unknown. */
    institution: jsonb().$type<Institution>(),
    /** The payment that the company assigned it to. */
    transactionId: uuid().references(() => transactions.id),
    /** When the provider was first asked to return it, which names the request; null again after a refusal. */
    refundRequestedAt: instantColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (payment) => [
    unique().on(payment.companyId, payment.provider, payment.endToEndId),
    index('unmatched_payments_open')
      .on(payment.companyId, payment.id)
      .where(sql`transaction_id is null and refunded_cents < amount_cents`),
    check('unmatched_payments_amount', sql`amount_cents > 0`),
    check('unmatched_payments_refunded', sql`refunded_cents between 0 and amount_cents`),
  ],
)

/** Payments that the payer contests, with the bank (MED) or with the card's issuer. */
export const disputes = pgTable(
  'disputes',
  {
    id: idColumn(),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    /** The disputed Pix; null for a card. */
    incomingPaymentId: uuid().references(() => incomingPayments.id),
    kind: text().$type<DisputeKind>().notNull(),
    /** The provider's own id of the dispute. */
    providerReference: keyColumn().notNull(),
    /** The bank's `natureza`, or the provider's code. */
    reason: text(),
    amountCents: integer().notNull(),
    status: text().$type<DisputeStatus>().notNull(),
    openedAt: instantColumn().notNull(),
    closedAt: instantColumn(),
    /** The provider's times, if they differ. */
    reportedOpenedAt: instantColumn(),
    reportedClosedAt: instantColumn(),
    /** The deadline for evidence. */
    respondBy: instantColumn(),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (dispute) => [
    unique().on(dispute.transactionId, dispute.providerReference),
    index().on(dispute.companyId, dispute.id),
    index('disputes_open').on(dispute.companyId, dispute.id).where(sql`status = 'open'`),
    check('disputes_amount', sql`amount_cents > 0`),
    check('disputes_closed_at', sql`(status = 'open') = (closed_at is null)`),
  ],
)

export const refunds = pgTable(
  'refunds',
  {
    id: idColumn(),
    ...companyColumn(),
    transactionId: uuid()
      .notNull()
      .references(() => transactions.id),
    /** The Pix that is returned; null for a card. */
    incomingPaymentId: uuid().references(() => incomingPayments.id),
    /** The id of the first refund of a request that returns several Pix; null for a single one. */
    requestId: uuid('order_id'),
    amountCents: integer().notNull(),
    status: text().$type<RefundStatus>().notNull(),
    reason: text(),
    failureReason: text().$type<RefundFailure>(),
    /** Our own id when the provider accepted the refund without an id: it is not sent again. */
    providerReference: text(),
    /** Since when the provider no longer shows a refund that it accepted. */
    missingSince: instantColumn(),
    /** When to ask the provider again; null when there is nothing left to ask. */
    checkAt: instantColumn(),
    checks: smallint().notNull().default(0),
    ...createdAtColumn(),
    ...updatedAtColumn(),
  },
  (refund) => [
    index().on(refund.transactionId, refund.id),
    index().on(refund.companyId, refund.id),
    index().on(refund.incomingPaymentId).where(sql`incoming_payment_id is not null`),
    index().on(refund.checkAt).where(sql`check_at is not null`),
    check('refunds_amount', sql`amount_cents > 0`),
  ],
)

/** Answers kept for a day, so that a repeated request is answered and not carried out again. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    companyId: companyColumn().companyId,
    /** Method and path. */
    route: keyColumn().notNull(),
    key: keyColumn().notNull(),
    /** The API key of the request; null in old rows, which any key of the company may repeat. */
    apiKeyId: uuid(),
    requestHash: bytesColumn().notNull(),
    /** The id of the resource that the request creates; a repeated request creates the same one. */
    resourceId: uuid().notNull(),
    /** Until when the running request holds the key; null once it is answered. */
    leasedUntil: instantColumn(),
    status: smallint(),
    /** Encrypted, in base64. */
    body: text(),
    location: text(),
    ...createdAtColumn(),
  },
  (row) => [
    pgCore.primaryKey({ columns: [row.companyId, row.route, row.key] }),
    index().on(row.createdAt),
  ],
)

/** The ledger of the simulated bank; only the sandbox provider uses it. */
export const sandboxCharges = pgTable(
  'sandbox_charges',
  {
    reference: keyColumn().primaryKey(),
    scenario: text().notNull(),
    status: text()
      .$type<'processing' | 'challenge' | 'approved' | 'declined' | 'voided'>()
      .notNull(),
    amountCents: integer().notNull(),
    eci: text(),
    /** Opens the page of its challenge; the transaction's id alone does not. */
    challengeToken: text(),
    endToEndId: text(),
    paidAt: instantColumn(),
    ...createdAtColumn(),
  },
  (charge) => [index().on(charge.createdAt)],
)

/** Refunds in the simulated bank's ledger; the reference is our refund's id. */
export const sandboxRefunds = pgTable(
  'sandbox_refunds',
  {
    reference: keyColumn().primaryKey(),
    chargeReference: keyColumn().notNull(),
    amountCents: integer().notNull(),
    ...createdAtColumn(),
  },
  (refund) => [index().on(refund.chargeReference)],
)

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: idColumn(),
    ...companyColumn(),
    url: text().notNull(),
    events: text().array().$type<EventType[]>().notNull(),
    /** Encrypted. */
    secret: bytesColumn().notNull(),
    /** Encrypted: former secrets that sign until previousSecretUntil, separated by a space. */
    previousSecret: bytesColumn(),
    previousSecretUntil: instantColumn(),
    /** Headers that the company adds to each delivery. */
    headerNames: text().array().notNull().default(sql`'{}'`),
    /** Encrypted: their values, a JSON array in the order of the names. Null without headers. */
    headerValues: bytesColumn(),
    disabledAt: instantColumn(),
    /** How many deliveries may run at a time; it adjusts itself (webhooks/deliveries). */
    concurrency: smallint().notNull().default(5),
    ...createdAtColumn(),
  },
  (endpoint) => [
    index().on(endpoint.companyId),
    check('webhook_endpoints_concurrency', sql`concurrency between 1 and 50`),
    check('webhook_endpoints_url', sql`char_length(url) <= 2048`),
    check('webhook_endpoints_events', sql`cardinality(events) > 0`),
    check(
      'webhook_endpoints_headers',
      sql`cardinality(header_names) <= 10 and (cardinality(header_names) = 0) = (header_values is null)`,
    ),
  ],
)

export const eventPositions = pgSequence('events_position_seq')

export const events = pgTable(
  'events',
  {
    id: idColumn(),
    ...companyColumn(),
    type: text().$type<EventType>().notNull(),
    /** The exact bytes that every delivery signs and sends. */
    body: text().notNull(),
    /** The event's order in streams (webhooks/events/feed.ts), drawn by a transaction that already has its number. */
    position: bigint({ mode: 'number' })
      .notNull()
      .default(
        sql`case when pg_current_xact_id() is not null then nextval('events_position_seq') end`,
      ),
    ...createdAtColumn(),
  },
  (event) => [
    index().on(event.companyId, event.id),
    index().on(event.companyId, event.position, event.id),
    index().on(event.companyId, event.type, event.id),
    // The subject of an event is only in its body (webhooks/events/log.ts).
    index('events_transaction_index').on(sql`(body::jsonb #>> '{data,transaction,id}')`, event.id),
    index('events_payment_link_index').on(sql`(body::jsonb #>> '{data,paymentLink,id}')`, event.id),
  ],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: idColumn(),
    eventId: uuid()
      .notNull()
      .references(() => events.id),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id),
    status: text().$type<DeliveryStatus>().notNull().default('pending'),
    /** Incremented at each claim, so that a late attempt cannot write. */
    attempts: smallint().notNull().default(0),
    /** How many attempts a person asked for, in addition to the automatic ones. */
    resends: smallint().notNull().default(0),
    /** The time of the next try: past the lease during an attempt; null when the delivery is over. */
    dueAt: instantColumn().default(sql`now()`),
    /** Until when the running attempt holds this delivery; null without one. */
    leasedUntil: instantColumn(),
    outcome: text().$type<DeliveryOutcome>(),
    statusCode: smallint(),
    deliveredAt: instantColumn(),
    ...createdAtColumn(),
  },
  (delivery) => [
    uniqueIndex().on(delivery.eventId, delivery.endpointId),
    index().on(delivery.endpointId, delivery.dueAt).where(sql`due_at is not null`),
    index().on(delivery.endpointId, delivery.id),
    index('webhook_deliveries_failed')
      .on(delivery.endpointId, delivery.id)
      .where(sql`status = 'failed'`),
    index().on(delivery.endpointId).where(sql`leased_until is not null`),
  ],
)

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id),
    number: smallint().notNull(),
    /** The address of the attempt; the endpoint's address may have changed since. */
    url: text(),
    startedAt: instantColumn().notNull(),
    durationMs: integer().notNull(),
    outcome: text().$type<DeliveryOutcome>().notNull(),
    statusCode: smallint(),
    /** The first 2 kB of the answer. */
    answer: text(),
  },
  (attempt) => [pgCore.primaryKey({ columns: [attempt.deliveryId, attempt.number] })],
)

/** Single facts about this installation, such as the hash of the set-up code. */
export const installation = pgTable('installation', {
  name: keyColumn().primaryKey(),
  value: text().notNull(),
  ...createdAtColumn(),
})

/** Payers' reports by "Denunciar este link". */
export const abuseReports = pgTable('abuse_reports', {
  id: idColumn(),
  paymentLinkId: uuid()
    .notNull()
    .references(() => paymentLinks.id),
  reason: text().notNull(),
  details: text(),
  ...createdAtColumn(),
})
