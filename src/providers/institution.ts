// The institution that receives a Pix, as fiscal documents name it.
import { z } from 'zod'
import type { Institution } from '../database/tables.ts'
import { describeField } from '../http/fields.ts'

export const PixInstitution = z
  .object({
    cnpj: describeField(z.string(), 'O CNPJ, sem pontuação.', '11222333000181'),
    ispb: describeField(z.string(), 'Por ele os bancos se conhecem.', '11222333'),
    name: describeField(z.string().nullable(), 'O nome.', 'Banco de teste'),
  })
  .meta({
    id: 'PixInstitution',
    description: 'A instituição que recebe o Pix, como documentos fiscais a nomeiam.',
  })

export type PixInstitution = z.output<typeof PixInstitution>

/** The ISPB is the beginning of the CNPJ. */
export function serializeInstitution({ cnpj, name }: Institution): PixInstitution {
  return { cnpj, ispb: cnpj.slice(0, 8), name }
}
