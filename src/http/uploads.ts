// Parses forms with files on routes with `upload`. All other routes refuse such forms.
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findCardDataError } from './card-data.ts'
import { AppError, unavailableError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    fileNames: Record<string, string>
  }
  interface FastifyContextConfig {
    /** Accepts forms with files, each of at most this many bytes. */
    upload?: number
  }
}

const UPLOAD_LIMITS = {
  files: 4,
  fields: 30,
  // Enough for a pasted certificate with its chain.
  fieldSize: 65_536,
  parts: 34,
}

/** Uploads are kept in memory as a whole. */
const MAX_UPLOADS_AT_ONCE = 16
const BOUNDARY_PATTERN = /;\s*boundary\s*=/i

/** Parses fields to strings and files to Buffers. */
export async function registerUploads(app: FastifyInstance) {
  await app.register(multipart, { limits: UPLOAD_LIMITS, throwFileSizeLimit: false })
  app.decorateRequest('fileNames')
  let uploads = 0

  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    const { upload } = request.routeOptions.config
    if (!upload) throw new AppError(415, 'unsupported_media_type', uploadTexts.noFiles)
    if (uploads >= MAX_UPLOADS_AT_ONCE) throw unavailableError()
    uploads++
    request.body = await readMultipartBody(request, upload).finally(() => uploads--)
  })
}

async function readMultipartBody(request: FastifyRequest, maxFileBytes: number) {
  // Programs that write the header themselves may forget the boundary.
  if (!BOUNDARY_PATTERN.test(request.headers['content-type'] ?? ''))
    throw new AppError(400, 'invalid_form', uploadTexts.boundaryMissing)
  const body: Record<string, unknown> = {}
  request.fileNames = {}
  // One byte above the limit, so that the route can refuse the file with its own text.
  const limits = { ...UPLOAD_LIMITS, fileSize: maxFileBytes + 1 }
  try {
    for await (const part of request.parts({ limits })) {
      body[part.fieldname] = part.type === 'file' ? await part.toBuffer() : part.value
      if (part.type === 'file') request.fileNames[part.fieldname] = part.filename
    }
  } catch {
    // Either the form or the connection was broken.
    throw new AppError(400, 'invalid_form', uploadTexts.brokenForm)
  }
  // The body was not yet read when refuseCardData ran.
  const refusal = findCardDataError(body)
  if (refusal) throw refusal
  return body
}

export const uploadTexts = {
  noFiles: 'Este formulário não leva arquivos.',
  brokenForm: 'O formulário não chegou inteiro. Envie-o de novo.',
  boundaryMissing:
    'Falta o boundary no Content-Type: multipart/form-data. Deixe o seu cliente HTTP escrever esse cabeçalho.',
} as const
