// Whether a call that failed may have been read: only what never left can be sent again at once.
import { readSystemError } from '../system-error.ts'

/** Whether the error came before the provider could read the call. */
export function isUnsent(error: unknown) {
  const { code, syscall, message } = readSystemError(error)
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  if (message.includes('before secure TLS connection')) return true
  return UNSENT_ERROR_CODES.test(code)
}

// A server may refuse our certificate after the handshake, when we have begun to write: by these alerts
// it says that it does not read on. Other errors of TLS may break off a call that was read.
const UNSENT_ERROR_CODES = new RegExp(
  [
    '^(ECONNREFUSED|ENOTFOUND|EAI_\\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$',
    '^(UND_ERR_CONNECT_TIMEOUT|ERR_PRIVATE_ADDRESS|ERR_OSSL_\\w+)$',
    '^ERR_TLS_(CERT_ALTNAME_\\w+|HANDSHAKE_TIMEOUT|REQUIRED)$',
    '^(CERT_\\w+|CRL_\\w+|UNABLE_TO_\\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$',
    '^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERROR_IN_CERT_\\w+)$',
    '^ERR_SSL_.*ALERT_(NO_|BAD_|UNSUPPORTED_)?CERTIFICATE',
    '^ERR_SSL_.*ALERT_(UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE|PROTOCOL_VERSION)',
    '^ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|PACKET_LENGTH_TOO_LONG)$',
  ].join('|'),
)
