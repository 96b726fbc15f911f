// The payment form where the sandbox takes cards. Joined to one script when it is served.

import './checkout/sandbox-card.js'
import './checkout.js'
