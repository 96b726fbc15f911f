// The numbers of our advisory locks, in one place so that no two are the same.

/**
 * Held while the schema is brought up to date. Not the number of versions before it (7_268_311): those wait for
 * theirs inside a statement, and an index that is being built would wait for that.
 */
export const MIGRATION_LOCK = 7_268_318
/** Held while companies are given new secrets in place of lost ones. */
export const COMPLETION_LOCK = 7_268_315
/** Held for the moment in which webhook deliveries are claimed. */
export const DELIVERY_CLAIM_LOCK = 7_268_313
/** Held, with a second number for the user, while the refunds that the user asked for are added up. */
export const REFUND_ALLOWANCE_LOCK = 7_268_316
/**
 * Held, with a second number for the link, the address or the card, while card attempts are counted and one is
 * added.
 */
export const CARD_ATTEMPT_LOCK = 7_268_314
/** Held while our role in this database is given what it has no setting for. */
export const ROLE_SETTINGS_LOCK = 7_268_317
/** Held, with a second number for the company, while the links of a file are created. */
export const LINK_IMPORT_LOCK = 7_268_320
/** Held, with a second number for the link, while its limit of payments is changed. */
export const LINK_LIMIT_LOCK = 7_268_323
