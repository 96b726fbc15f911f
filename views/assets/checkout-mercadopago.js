// The payment form where Mercado Pago takes cards. Joined to one script when it is served.

import './checkout/mercadopago-card.js'
import './checkout.js'
