import { z } from 'zod'
import type { Routes } from '../http/zod.ts'
import { LinkParams } from './field-notes.ts'
import { requirePaymentLink } from './payment-link.ts'
import { QR_FORMATS, sendLinkQr } from './qr.ts'

const config = { resource: 'payment-links' } as const

function describePicture(summary: string, operationId: string, picture: z.ZodType) {
  return {
    summary,
    description: 'Do `url` do link, preto no branco com a sua margem, para mostrar ou imprimir.',
    operationId,
    tags: ['Payment links'],
    params: LinkParams,
    response: { 200: picture },
  }
}

const SCHEMAS = {
  svg: describePicture(
    'Desenhar o QR Code de um link de pagamento em SVG',
    'getPaymentLinkQrSvg',
    z.string().meta({ contentMediaType: 'image/svg+xml' }),
  ),
  png: describePicture(
    'Desenhar o QR Code de um link de pagamento em PNG, com 1024 pixels de largura ou mais',
    'getPaymentLinkQrPng',
    z.string().meta({ contentMediaType: 'image/png', format: 'binary' }),
  ),
}

export const qrCodeRoutes: Routes = async (app, { db, checkoutUrl }) => {
  for (const format of QR_FORMATS) {
    app.get(
      `/payment-links/:idOrSlug/qr.${format}`,
      { config, schema: SCHEMAS[format] },
      async ({ company, params }, reply) => {
        const link = await requirePaymentLink(db, company.id, params.idOrSlug)
        return sendLinkQr(reply, link, { checkoutUrl, format, disposition: 'inline' })
      },
    )
  }
}
