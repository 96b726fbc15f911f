// The numbers of our advisory locks, here in one place so that each is unique.

/** Held while the schema is migrated. */
export const MIGRATION_LOCK = 7_268_318
/** Held while companies get new secrets in place of lost ones. */
export const COMPLETION_LOCK = 7_268_315
/** Held while webhook deliveries are claimed. */
export const DELIVERY_CLAIM_LOCK = 7_268_313
/** Held, with a second number for the user, while the sum of that user's refunds is checked. */
export const REFUND_ALLOWANCE_LOCK = 7_268_316
/**
 * Held, with a second number for the link, the address or the card, while card attempts are counted and one is added.
 */
export const CARD_ATTEMPT_LOCK = 7_268_314
/** Held while the session settings of our role are set. */
export const ROLE_SETTINGS_LOCK = 7_268_317
/** Held, with a second number for the company, while the links of a file are created. */
export const LINK_IMPORT_LOCK = 7_268_320
/** Held, with a second number for the link, while its limit of payments is changed. */
export const LINK_LIMIT_LOCK = 7_268_323
