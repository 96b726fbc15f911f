// The refusals of the API: one table, from which the OpenAPI document and the guide of errors are made.
import { customerTexts } from '../customers/texts.ts'
import { describeFieldErrors, type FieldError } from '../http/errors.ts'
import { uploadTexts } from '../http/uploads.ts'
import { linkTexts } from '../payment-links/texts.ts'
import { texts } from '../texts.ts'
import { refundTexts } from '../transactions/refunds/texts.ts'
import { simulationTexts } from '../transactions/simulation/texts.ts'
import { webhookTexts } from '../webhooks/texts.ts'

const PIX_UNAVAILABLE = linkTexts.methodUnavailable(texts.methods.pix)

const TITLE_MISSING = { field: 'title', code: 'required', message: texts.fields.required }

type Note = [when: string, message: string, errors?: FieldError[]]

/**
 * By status and code: when it is sent, its message, and the `errors` of one that names fields. The bodies of 401 and
 * 429 have no code.
 */
const PROBLEMS: Record<number, Record<string, Note>> = {
  400: {
    invalid_request: ['Não é HTTP, ou falta `Host`.', texts.invalidRequest],
    invalid_url: ['O endereço não se deixa decodificar.', texts.invalidUrl],
    invalid_json: ['O corpo não é um JSON válido.', texts.invalidJson],
    invalid_encoding: ['Os bytes do corpo não são UTF-8.', texts.invalidEncoding],
    invalid_form: ['O formulário com o arquivo não chegou inteiro.', uploadTexts.brokenForm],
  },
  401: { unauthorized: ['A chave falta, não é válida ou foi revogada.', texts.unauthorized] },
  403: {
    insufficient_scope: [
      'A chave é limitada a escopos que não incluem esta operação.',
      texts.insufficientScope('payment-links'),
    ],
    ip_not_allowed: [
      'A chave é limitada a redes em que não está o endereço de quem chama.',
      texts.ipNotAllowed,
    ],
  },
  404: { not_found: ['Não existe, ou não na sua empresa.', texts.notFound] },
  405: {
    method_not_allowed: [
      'O endereço existe, mas não com este método. Os que ele tem estão em `Allow`.',
      texts.methodNotAllowed,
    ],
  },
  408: { request_timeout: ['Não chegou inteira a tempo.', texts.requestTimeout] },
  409: {
    idempotency_in_progress: [
      'A primeira requisição com esta `Idempotency-Key` ainda está em andamento. Repita depois dos segundos de `Retry-After`.',
      texts.idempotency.inProgress,
    ],
    changed_meanwhile: [
      'Outra requisição mudou o mesmo recurso neste instante. Leia-o de novo e repita.',
      linkTexts.changedMeanwhile,
    ],
    link_archived: [
      'O link está arquivado: só muda com `status`, que o traz de volta.',
      linkTexts.archived,
    ],
    link_not_payable: [
      'O link não está ativo, ou os pagamentos que ainda aceita estão em andamento.',
      simulationTexts.notPayable,
    ],
    not_simulated: [
      'A transação não é do simulador, mas do ambiente de testes de um provedor.',
      simulationTexts.notHere,
    ],
    email_unavailable: ['O servidor não envia e-mails.', linkTexts.sending.noMail],
    recipient_stopped: [
      'Quem lê o endereço pediu para não receber mais e-mails do link.',
      linkTexts.sending.stopped,
    ],
    invalid_transition: [
      'O link não pode ficar ativo sem um `maxPayments` maior ou um `expiresAt` mais tarde; ou a transação não foi aprovada, ou já foi devolvida.',
      linkTexts.stillExpired,
    ],
    refund_window_closed: [
      'Um Pix pode ser devolvido por 90 dias, um cartão de teste por 180.',
      refundTexts.tooLate(90),
    ],
    customer_exists: [
      'Outro cliente tem este documento; `Location` diz onde.',
      customerTexts.exists,
    ],
    event_too_old: ['O evento tem mais de 30 dias.', webhookTexts.tooOld(30)],
    not_resendable: [
      'O endpoint de `endpointId` está desativado, ou a entrega a ele está em andamento.',
      webhookTexts.notResendable,
    ],
    too_many_endpoints: ['O ambiente já tem 10 endpoints.', webhookTexts.tooManyEndpoints(10)],
    endpoint_disabled: ['O endpoint está desativado.', webhookTexts.endpointDisabled],
    test_environment_only: ['O endpoint é do ambiente real.', webhookTexts.testEnvironmentOnly],
  },
  413: {
    payload_too_large: [
      'O corpo passa de 64 KB; o de um lote, de 1 MB.',
      texts.bodyTooLarge(65_536),
    ],
  },
  415: {
    unsupported_media_type: [
      'O corpo não foi enviado como `application/json`.',
      texts.unsupportedMediaType,
    ],
    unsupported_charset: ['O corpo diz não estar em UTF-8.', texts.unsupportedCharset],
    unsupported_encoding: [
      'O corpo veio comprimido (`Content-Encoding`); `Accept-Encoding` diz `identity`.',
      texts.unsupportedEncoding,
    ],
  },
  417: { expectation_failed: ['`Expect` pede outra coisa.', texts.expectationFailed] },
  422: {
    validation_error: [
      'Tudo o que está errado, campo a campo.',
      describeFieldErrors([TITLE_MISSING]),
      [TITLE_MISSING],
    ],
    card_data_refused: [
      'O corpo ou o endereço traz o que parece um número de cartão ou um código de segurança.',
      texts.cardDataRefused,
      [{ field: 'metadata.nota', code: 'card_data', message: texts.cardDataRefused }],
    ],
    nested_too_deeply: [
      'O corpo tem mais de 32 níveis de listas e objetos.',
      texts.nestedTooDeeply(32),
    ],
    idempotency_mismatch: [
      'Esta `Idempotency-Key` foi usada com outro corpo.',
      texts.idempotency.mismatch,
    ],
    method_unavailable: [
      'No ambiente real ninguém recebe por esta forma ainda.',
      PIX_UNAVAILABLE,
      [{ field: 'methods', code: 'method_unavailable', message: PIX_UNAVAILABLE }],
    ],
  },
  429: {
    rate_limited: [
      'Mais de 100 requisições em 60 segundos com esta chave. Espere os segundos de `Retry-After`.',
      texts.rateLimited,
    ],
  },
  431: { headers_too_large: ['Os cabeçalhos passam do limite.', texts.headersTooLarge] },
  500: {
    internal_error: [
      'Uma falha nossa. Tente de novo, com a mesma `Idempotency-Key`.',
      texts.internal,
    ],
  },
  503: {
    unavailable: [
      'Fora do ar por um momento. Tente de novo depois dos segundos de `Retry-After`.',
      texts.unavailable,
    ],
  },
}

export type DocumentedProblem = ReturnType<typeof listProblems>[number]

export function listProblems() {
  return Object.entries(PROBLEMS).flatMap(([status, byCode]) =>
    Object.entries(byCode).map(([code, [when, message, errors]]) => ({
      status: Number(status),
      ...{ code, when, message, errors },
    })),
  )
}
