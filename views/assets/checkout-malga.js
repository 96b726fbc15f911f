// The payment form where Malga's fields take cards. Joined to one script when it is served.

import './checkout/malga-card.js'
import './checkout.js'
