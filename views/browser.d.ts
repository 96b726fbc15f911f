// What the scripts of the pages know of each other.

type CardPart = 'number' | 'holder' | 'expiry' | 'code'

/** What is done with a field while it is typed, and the sentence that says what is wrong with it. */
type InputRules = {
  format?: (text: string, inserting: boolean) => string
  /** Once it is typed. */
  clean?: (text: string) => string
  check: (text: string) => string | null | false
  /** What was probably meant; empty for nothing else. */
  suggest?: (text: string) => string
}

type CardToken = {
  token: string
  brand: string
  last4: string
  /** What the provider calls the payer's device; none where its script did not come. */
  deviceId?: string | undefined
  /** What 3-D Secure is told of the payer's browser, where the provider's script does not tell it. */
  authentication?: string
}

/** What checkout.js expects of a card script. */
type CardEntry = {
  /** By element id. Empty where the provider puts its own frames into [data-card-entry]. */
  inputs: Record<string, InputRules>
  /** Throws { field, message }, the field being one of the parts. */
  tokenise(card: Record<CardPart, string>): CardToken | Promise<CardToken>
}

/** What a page brings of what its script says, in one language. */
type CheckoutTexts = import('../src/checkout/texts/pt.ts').CheckoutTexts

declare var vintemCard: CardEntry | undefined

/** The payment form, by the names of its fields. */
type PayForm = HTMLFormElement & {
  elements: HTMLFormControlsCollection & {
    method: RadioNodeList | HTMLInputElement
    installments: RadioNodeList | HTMLInputElement
    taxId: HTMLInputElement
    ref?: HTMLInputElement
    /** None where the card is entered at the provider's own page. */
    cardToken?: HTMLInputElement
    cardBrand: HTMLInputElement
    cardLast4: HTMLInputElement
    cardHolder: HTMLInputElement
    deviceId?: HTMLInputElement
    cardAuthentication?: HTMLInputElement
    cardBin: HTMLInputElement
    cardQuote: HTMLInputElement
  }
}

/** The global of @scalar/fastify-api-reference's script. */
declare const Scalar: { createApiReference(place: Element, configuration: object): void }
