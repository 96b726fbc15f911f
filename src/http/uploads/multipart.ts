// Forms with files, on the routes that say so (`upload`). All others refuse them.

import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { texts } from '../../texts.ts'
import { findCardDataError } from '../card-data.ts'
import { AppError } from '../errors.ts'
import { uploadTexts } from './texts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the files in a form, by their fields. */
    fileNames: Record<string, string>
  }
  interface FastifyContextConfig {
    /** The body may be a form with files, each of so many bytes at most. */
    upload?: number
  }
}

const UPLOAD_LIMITS = {
  files: 4,
  fields: 30,
  // A certificate may be pasted, with the chain above it.
  fieldSize: 65_536,
  parts: 34,
}

/** They stand in memory whole. */
const MAX_UPLOADS_AT_ONCE = 16
const RETRY_AFTER_S = '2'
const BOUNDARY_PATTERN = /;\s*boundary\s*=/i

/** Fields become strings in the body, files Buffers. */
export async function registerUploads(app: FastifyInstance) {
  await app.register(multipart, { limits: UPLOAD_LIMITS, throwFileSizeLimit: false })
  app.decorateRequest('fileNames')
  let uploads = 0

  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    const { upload } = request.routeOptions.config
    if (!upload) throw new AppError(415, 'unsupported_media_type', uploadTexts.noFiles)
    if (uploads >= MAX_UPLOADS_AT_ONCE) {
      const headers = { 'retry-after': RETRY_AFTER_S }
      throw new AppError(503, 'unavailable', texts.unavailable, { headers })
    }
    uploads++
    request.body = await readMultipartBody(request, upload).finally(() => uploads--)
  })
}

async function readMultipartBody(request: FastifyRequest, maxFileBytes: number) {
  // What a program forgets that writes the header by hand.
  if (!BOUNDARY_PATTERN.test(request.headers['content-type'] ?? ''))
    throw new AppError(400, 'invalid_form', uploadTexts.boundaryMissing)
  const body: Record<string, unknown> = {}
  request.fileNames = {}
  // One byte more than is taken, and cut off there: the route refuses it in words of its own.
  const limits = { ...UPLOAD_LIMITS, fileSize: maxFileBytes + 1 }
  try {
    for await (const part of request.parts({ limits })) {
      body[part.fieldname] = part.type === 'file' ? await part.toBuffer() : part.value
      if (part.type === 'file') request.fileNames[part.fieldname] = part.filename
    }
  } catch {
    // Only what was sent can be at fault here, or the line that it came by.
    throw new AppError(400, 'invalid_form', uploadTexts.brokenForm)
  }
  // It was not read yet when refuseCardData looked.
  const refusal = findCardDataError(body)
  if (refusal) throw refusal
  return body
}
