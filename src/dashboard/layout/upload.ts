// Forms with files, on the routes that say so (`upload`). All others refuse them: such a body is read too
// late for refuseCardData to look through.

import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LOGO_MAX_BYTES } from '../../companies/logo.ts'
import { AppError } from '../../http/errors.ts'
import { formTexts } from './texts.ts'

const UPLOAD_LIMITS = {
  // One byte more than is taken, and cut off there: the page refuses it in words of its own.
  fileSize: LOGO_MAX_BYTES + 1,
  files: 4,
  fields: 30,
  // A certificate may be pasted, with the chain above it.
  fieldSize: 65_536,
  parts: 34,
}

/** Fields become strings in the body, files Buffers. */
export async function registerUploads(app: FastifyInstance) {
  await app.register(multipart, { limits: UPLOAD_LIMITS, throwFileSizeLimit: false })

  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    if (!request.routeOptions.config.upload) {
      throw new AppError(415, 'unsupported_media_type', formTexts.noFiles)
    }
    request.body = await readMultipartBody(request)
  })
}

async function readMultipartBody(request: FastifyRequest) {
  const body: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      body[part.fieldname] = part.type === 'file' ? await part.toBuffer() : part.value
    }
  } catch {
    // Only what was sent can be at fault here, or the line that it came by.
    throw new AppError(400, 'invalid_form', formTexts.brokenForm)
  }
  return body
}
