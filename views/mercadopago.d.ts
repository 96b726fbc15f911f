// What checkout/mercadopago-card.js knows of Mercado Pago's scripts (sdk.mercadopago.com/js/v2).

type SecureField = {
  mount(id: string): void
  on(event: 'ready' | 'focus' | 'blur', heard: () => void): void
  on(event: 'binChange', heard: (change: { bin: string | null }) => void): void
  update(changes: { settings: object }): void
  focus?(): void
}

type PaymentMethod = {
  id: string
  payment_type_id: string
  settings?: MethodSettings | MethodSettings[]
}
type MethodSettings = { card_number?: object; security_code?: object }

type MercadoPagoSdk = {
  fields: {
    create(type: string, options: object): SecureField
    createCardToken(card: {
      cardholderName: string
      identificationType: string
      identificationNumber: string
    }): Promise<{ id: string; first_six_digits: string; last_four_digits: string }>
  }
  getPaymentMethods(query: { bin: string }): Promise<{ results: PaymentMethod[] }>
}

/** Left by security.js of Mercado Pago. */
declare var MP_DEVICE_SESSION_ID: string | undefined
declare var MercadoPago: (new (publicKey: string, options: object) => MercadoPagoSdk) | undefined
