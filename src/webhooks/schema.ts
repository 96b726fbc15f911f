import { z } from 'zod'
import { EVENT_TYPES } from '../database/enums.ts'

export const eventTypeField = z.enum(EVENT_TYPES).meta({ examples: ['transaction.approved'] })
